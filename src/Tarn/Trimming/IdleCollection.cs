using System.Diagnostics.CodeAnalysis;

namespace Tarn;

/// <summary>Gives the memory that pools gave up back to the operating system, in a program that has become idle.</summary>
/// <remarks>
/// <para>A pool drops arrays that were idle for its timeout. Their memory stays resident until the garbage collector runs, and returns it.
/// An idle program allocates too little for that. With <see cref="IsEnabled"/>, the library collects after a burst: when all pools of
/// the process together gave up at least 2 MiB and a sixteenth of the managed heap, have let go of the rest, and the program uses less than
/// a tenth of a processor.</para>
/// <para>The collection stops all threads: for tens of milliseconds with a small heap, and for about a quarter of a second with 500 MiB of
/// living objects. Where the rest of the heap is larger than 512 MiB, it runs in the background instead. If that leaves less, a second one
/// stops all threads and returns the memory; if not, the collector decides when to return memory.</para>
/// <para>Native heaps need no collection. They return memory by themselves. All members are safe to call from any thread.</para>
/// </remarks>
[SuppressMessage("Naming", "CA1711", Justification = "It is a collection of garbage, and holds nothing.")]
public static class IdleCollection
{
    /// <summary>
    /// The switch of <see cref="AppContext"/> that sets <see cref="IsEnabled"/> at the start, for a project or runtimeconfig file.
    /// </summary>
    public const string SwitchName = "Tarn.IdleCollection";

    private static bool s_isEnabled = AppContext.TryGetSwitch(SwitchName, out bool isOn) && isOn;
    private static long s_count;

    /// <summary>Whether to collect after bursts. False by default; <c>AddTarn</c> of the package Tarn.AspNetCore sets it.</summary>
    public static bool IsEnabled
    {
        get => Volatile.Read(ref s_isEnabled);
        set => Volatile.Write(ref s_isEnabled, value);
    }

    /// <summary>The number of collections so far.</summary>
    public static long Count => Volatile.Read(ref s_count);

    /// <summary>Collects. Only an aggressive collection returns memory to the system, and it stops all threads.</summary>
    internal static void Collect(bool mayStopThreads)
    {
        Interlocked.Increment(ref s_count);
        GC.Collect(
            GC.MaxGeneration, mayStopThreads ? GCCollectionMode.Aggressive : GCCollectionMode.Forced,
            blocking: mayStopThreads, compacting: mayStopThreads);
    }
}
