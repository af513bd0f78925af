using Tarn.SharedMemory;

namespace Tarn.TestChild;

/// <summary>The log of a ring's writers and readers, in a region of its own that outlives killed processes.</summary>
internal sealed unsafe class RingLog : IDisposable
{
    internal const long MostGenerations = 1 << 16;

    private const int Counts = 64;

    private readonly SharedRegion _region;

    private RingLog(SharedRegion region) => _region = region;

    /// <summary>The number of the last message passed, plus 1; 0 when none was.</summary>
    internal ulong Passed
    {
        get => Volatile.Read(ref *(ulong*)_region.Pointer);
        set => Volatile.Write(ref *(ulong*)_region.Pointer, value);
    }

    /// <summary>
    /// How many readers may have passed one message each that none of them logged: those killed since, the last one that logged included.
    /// </summary>
    internal ulong Unlogged
    {
        get => Volatile.Read(ref *((ulong*)_region.Pointer + 1));
        set => Volatile.Write(ref *((ulong*)_region.Pointer + 1), value);
    }

    internal static RingLog Create(string name) => new(SharedRegion.Create(NameOf(name), Counts + (MostGenerations * 2 * sizeof(long))));

    internal static RingLog Open(string name) => new(SharedRegion.Open(NameOf(name)));

    /// <summary>How many messages the writer of a generation had written at its last report.</summary>
    internal ref long Written(long generation) => ref CountsOf(generation)[0];

    /// <summary>
    /// How many messages the writer of a generation had begun to write. It is updated before each message, so no reader can receive more.
    /// </summary>
    internal ref long Begun(long generation) => ref CountsOf(generation)[1];

    public void Dispose() => _region.Dispose();

    private long* CountsOf(long generation) =>
        (long*)(_region.Pointer + Counts) + (checked((int)generation) % MostGenerations * 2);

    private static string NameOf(string ring) => ring + ".log";
}
