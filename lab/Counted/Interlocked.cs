using System.Runtime.CompilerServices;
using Tarn.Lab.Counted;
using Uncounted = System.Threading.Interlocked;

namespace Tarn;

/// <summary>The system's interlocked operations as far as the library uses them, counted by the file that calls them.</summary>
internal static unsafe class Interlocked
{
    internal static int Increment(ref int location, [CallerFilePath] string place = "") =>
        Uncounted.Increment(ref Noted(ref location, place));

    internal static uint Increment(ref uint location, [CallerFilePath] string place = "") =>
        Uncounted.Increment(ref Noted(ref location, place));

    internal static long Increment(ref long location, [CallerFilePath] string place = "") =>
        Uncounted.Increment(ref Noted(ref location, place));

    internal static int Decrement(ref int location, [CallerFilePath] string place = "") =>
        Uncounted.Decrement(ref Noted(ref location, place));

    internal static long Decrement(ref long location, [CallerFilePath] string place = "") =>
        Uncounted.Decrement(ref Noted(ref location, place));

    internal static int Add(ref int location, int value, [CallerFilePath] string place = "") =>
        Uncounted.Add(ref Noted(ref location, place), value);

    internal static long Add(ref long location, long value, [CallerFilePath] string place = "") =>
        Uncounted.Add(ref Noted(ref location, place), value);

    internal static ulong Add(ref ulong location, ulong value, [CallerFilePath] string place = "") =>
        Uncounted.Add(ref Noted(ref location, place), value);

    internal static T Exchange<T>(ref T location, T value, [CallerFilePath] string place = "") =>
        Uncounted.Exchange(ref Noted(ref location, place), value);

    internal static T CompareExchange<T>(ref T location, T value, T comparand, [CallerFilePath] string place = "") =>
        Uncounted.CompareExchange(ref Noted(ref location, place), value, comparand);

    internal static uint CompareExchange(ref uint location, uint value, uint comparand, [CallerFilePath] string place = "") =>
        Uncounted.CompareExchange(ref Noted(ref location, place), value, comparand);

    internal static ulong And(ref ulong location, ulong value, [CallerFilePath] string place = "") =>
        Uncounted.And(ref Noted(ref location, place), value);

    internal static ulong Or(ref ulong location, ulong value, [CallerFilePath] string place = "") =>
        Uncounted.Or(ref Noted(ref location, place), value);

    internal static void MemoryBarrier() => Uncounted.MemoryBarrier();

    internal static void MemoryBarrierProcessWide([CallerFilePath] string place = "")
    {
        Counts.NoteFence(place);
        Uncounted.MemoryBarrierProcessWide();
    }

    private static ref T Noted<T>(ref T location, string place)
    {
        Counts.NoteInterlocked(place, Unsafe.AsPointer(ref location));
        return ref location;
    }
}
