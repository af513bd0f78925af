using System.Runtime.InteropServices;
using SharpFuzz.Common;

namespace Tarn.Fuzz;

/// <summary>Which branches of the instrumented assemblies an input took, and how often: the map that SharpFuzz's code writes.</summary>
internal sealed unsafe class Coverage
{
    private const int Size = 1 << 16;

    /// <summary>Never freed: threads of the library may write there at any time.</summary>
    private static readonly byte* s_map = (byte*)NativeMemory.AllocZeroed(Size);

    /// <summary>For each branch, a bit for each order of magnitude in which it was taken.</summary>
    private readonly byte[] _seen = new byte[Size];

    /// <summary>To be called before any instrumented code runs: it writes to the map.</summary>
    internal static void Begin() => Trace.SharedMem = s_map;

    /// <summary>Branches that were taken by any input.</summary>
    internal int Branches => Size - _seen.AsSpan().Count((byte)0);

    /// <summary>To be called before an input.</summary>
    internal void Reset()
    {
        new Span<byte>(s_map, Size).Clear();
        Trace.PrevLocation = 0;
    }

    /// <summary>Whether the input since the last reset took a branch that none took before, or more often by an order.</summary>
    internal bool HasNew()
    {
        bool hasNew = false;
        Span<byte> map = new(s_map, Size);
        for (int at = map.IndexOfAnyExcept((byte)0); at < Size && at >= 0;)
        {
            byte bit = BitOf(map[at]);
            hasNew |= (_seen[at] & bit) == 0;
            _seen[at] |= bit;
            int next = map[(at + 1)..].IndexOfAnyExcept((byte)0);
            at = next < 0 ? -1 : at + 1 + next;
        }

        return hasNew;
    }

    private static byte BitOf(byte count) => (byte)(1 << byte.Log2(count));
}
