namespace Tarn.Diagnostics;

/// <summary>The samples of one size from one call site of one pool or heap, and their weights. Guarded by the profile's lock.</summary>
/// <remarks>In use = allocated - ended, and 0 exactly when no sample is in use, whatever the sums' rounding.</remarks>
internal sealed class SampledSite(SampledSiteKey key)
{
    private double _allocated;
    private double _ended;
    private double _lost;
    private long _samplesInUse;

    internal SampledSiteKey Key => key;

    /// <summary>The estimated number of buffers rented here.</summary>
    internal long AllocatedObjects => ToCount(_allocated);

    /// <summary>Of these, the estimated number in use.</summary>
    internal long InUseObjects => _samplesInUse == 0 ? 0 : ToCount(_allocated - _ended);

    /// <summary>Of these, the estimated number collected without a return.</summary>
    internal long LostObjects => ToCount(_lost);

    internal long AllocatedBytes => ToCount(_allocated * key.Bytes);

    internal long InUseBytes => _samplesInUse == 0 ? 0 : ToCount((_allocated - _ended) * key.Bytes);

    internal long LostBytes => ToCount(_lost * key.Bytes);

    internal void CountRent(double weight)
    {
        _samplesInUse++;
        _allocated += weight;
    }

    internal void CountEnd(double weight, SampleEnd how)
    {
        _samplesInUse--;
        _ended += weight;
        _lost += how == SampleEnd.Lost ? weight : 0;
    }

    private static long ToCount(double value) => (long)Math.Round(value);
}

/// <summary>What tells the samples of a profile apart.</summary>
/// <param name="Stack">Where the buffer was rented.</param>
/// <param name="Source">The name of the pool or heap.</param>
/// <param name="Kind">Its kind, as in <see cref="BufferSourceSnapshot.Kind"/>.</param>
/// <param name="Bytes">The size of each buffer.</param>
internal readonly record struct SampledSiteKey(SampledStack Stack, string Source, string Kind, long Bytes);
