using System.Runtime.CompilerServices;

namespace Tarn.Native;

/// <summary>The blocks of one heap whose allocations were sampled, by address, until they are freed.</summary>
/// <remarks>
/// Every free of the heap asks while sampling is on, so most must get an answer from one load: a table of bytes counts the followed blocks
/// whose addresses share a place. A count that reaches its most stays there. All members are safe to call from any thread.
/// </remarks>
internal sealed class FollowedBlocks
{
    private const int FilterBits = 16;

    private readonly Lock _lock = new();
    private readonly Dictionary<nint, Sample> _samples = [];
    private readonly byte[] _filter = new byte[1 << FilterBits];

    /// <summary>Whether a block may be followed. A wrong yes is possible, a wrong no is not.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool MayContain(nint block) => Volatile.Read(ref _filter[PlaceOf(block)]) != 0;

    /// <summary>Follows a block that is being handed out.</summary>
    internal void Add(nint block, Sample sample)
    {
        sample.NeedNoFinalizer();
        Sample? stale;
        using (_lock.Hold())
        {
            // A block that was freed behind the heap's back, as one freed during the switch to sampling, is handed out again.
            _samples.Remove(block, out stale);
            _samples.Add(block, sample);
            ref byte count = ref _filter[PlaceOf(block)];
            count += (byte)(stale is null && count < byte.MaxValue ? 1 : 0);
        }

        stale?.End(SampleEnd.Returned);
    }

    /// <summary>Stops following a block. Returns its sample, which has not ended, or null if the block was not followed.</summary>
    internal Sample? Take(nint block)
    {
        using (_lock.Hold())
        {
            if (_samples.Remove(block, out Sample? sample))
            {
                ref byte count = ref _filter[PlaceOf(block)];
                count -= (byte)(count < byte.MaxValue ? 1 : 0);
            }

            return sample;
        }
    }

    /// <summary>Forgets all blocks.</summary>
    /// <returns>Their samples, which have not ended.</returns>
    internal List<Sample> TakeAll()
    {
        using (_lock.Hold())
        {
            List<Sample> samples = [.. _samples.Values];
            _samples.Clear();
            Array.Clear(_filter);
            return samples;
        }
    }

    private static int PlaceOf(nint block) => (int)(unchecked((ulong)block * 0x9E3779B97F4A7C15) >> (64 - FilterBits));
}
