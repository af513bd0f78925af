using System.Buffers;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Arrays;

/// <summary>A load as on a server: mixed lengths, rented by some threads and returned by others, under a cap.</summary>
/// <param name="Sizes">The requested lengths.</param>
/// <param name="Cap">The pool's cap; null for its default.</param>
/// <param name="Renting">Threads that rent.</param>
/// <param name="Returning">Threads that return. All to all, they are the threads that rent.</param>
/// <param name="IsAllToAll">Whether every thread rents for any other, and returns buffers that others rented.</param>
internal sealed record MixedLoad(SizeDistribution Sizes, long? Cap, int Renting, int Returning, bool IsAllToAll)
{
    /// <summary>Buffers of each thread that rents which were not returned yet, at most.</summary>
    public const int MostOut = Lane.Capacity;

    private const int InFlightFactor = 5;
    private const long ThreadAllowance = 1 << 20;

    public int Threads => IsAllToAll ? Renting : Renting + Returning;

    /// <summary>Unique among loads.</summary>
    public string Id => IsAllToAll ? $"all-{Threads}-{Sizes.Id}{CapId}" : $"{Sizes.Id}-{Returning}{CapId}";

    public string Title => IsAllToAll
        ? $"All to all on {Threads} threads, {Sizes.Text}, {CapText}"
        : $"Returned by {Returning} {(Returning == 1 ? "thread" : "threads")}, {Sizes.Text}, {CapText}";

    public string CapText => Cap is { } bytes ? $"cap {ByteSize.Text(bytes)}" : "default cap";

    private string CapId => Cap is { } bytes ? "-" + ByteSize.Id(bytes) : "";

    public static MixedLoad HandedOver(SizeDistribution sizes, long? cap, int returning) =>
        new(sizes, cap, 1, returning, IsAllToAll: false);

    public static MixedLoad AllToAll(SizeDistribution sizes, long? cap, int threads) => new(sizes, cap, threads, threads, IsAllToAll: true);

    /// <summary>Creates the BCL's pool with room for every length of the load and for all buffers that may be out.</summary>
    public ArrayPool<byte> CreateBclPool() => ArrayPool<byte>.Create(Sizes.Largest, Renting * MostOut);

    /// <summary>
    /// Returns the bytes that a pool with at most <paramref name="inFlight"/> bytes in use may retain. With mixed lengths, each length
    /// needs its own peak.
    /// </summary>
    public static double AllowedRetained(long inFlight, int threads) => ((double)InFlightFactor * inFlight) + (threads * ThreadAllowance);
}
