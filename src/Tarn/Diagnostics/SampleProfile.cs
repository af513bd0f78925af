using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Tarn.Diagnostics;

/// <summary>The samples since sampling began, summed by call site.</summary>
/// <remarks>
/// A sample of s bytes stands for 1 / (1 - e^(-s/m)) rents, where m is the mean gap it was drawn with: the reciprocal of the probability
/// that it was sampled, as in Go's heap profiles (<c>scaleHeapSample</c> in golang/go, src/runtime/pprof/protomem.go). So the sums are
/// unbiased. All members are safe to call from any thread.
/// </remarks>
internal sealed class SampleProfile(SamplingOptions options) : IDisposable
{
    /// <summary>The most sites that a profile tells apart.</summary>
    internal const int MostSites = 1 << 14;

    private static long s_lastSample;
    private static int s_lastNumber;

    private readonly Lock _lock = new();
    private readonly Dictionary<SampledStack, SampledStack> _stacks = [];
    private readonly Dictionary<SampledSiteKey, SampledSite> _sites = [];
    private readonly long _since = Stopwatch.GetTimestamp();
    private ulong _seed = options.Seed;

    /// <summary>A number that no other profile of the process has, and not 0.</summary>
    internal int Number { get; } = Interlocked.Increment(ref s_lastNumber);

    internal SamplingOptions Options { get; } = options;

    internal SampleThrottle Throttle { get; } = new(options.Interval, options.IsLimited);

    internal TimeSpan Duration => Stopwatch.GetElapsedTime(_since);

    /// <summary>Ends the throttle's timer. The samples remain.</summary>
    public void Dispose() => Throttle.Dispose();

    /// <summary>The state that a thread's random numbers begin with.</summary>
    internal ulong NextSeed() => Interlocked.Add(ref _seed, 0xD1342543DE82EF95);

    /// <summary>Counts a sampled rent of the current stack.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal Sample Add(string source, string kind, long bytes, double mean)
    {
        SampledStack stack = SampledStack.Capture();
        SampledStack? known;
        using (_lock.Hold())
        {
            known = _sites.Count < MostSites ? _stacks.GetValueOrDefault(stack) : SampledStack.Other;
        }

        // Once for each call site: reading symbols takes long.
        known ??= stack.DescribeHere();
        double weight = 1 / (1 - Math.Exp(-bytes / mean));
        using (_lock.Hold())
        {
            if (known != SampledStack.Other)
            {
                _stacks.TryAdd(known, known);
            }

            SampledSiteKey key = new(known, source, kind, bytes);
            if (!_sites.TryGetValue(key, out SampledSite? site))
            {
                _sites.Add(key, site = new SampledSite(key));
            }

            site.CountRent(weight);
            return new Sample(this, site, Interlocked.Increment(ref s_lastSample), weight);
        }
    }

    /// <summary>Counts the end of a sample.</summary>
    internal void CountEnd(Sample sample, SampleEnd how)
    {
        using (_lock.Hold())
        {
            sample.Site.CountEnd(sample.Weight, how);
        }
    }

    /// <summary>Calls <paramref name="read"/> with every site while none changes.</summary>
    internal void Read(Action<IReadOnlyCollection<SampledSite>> read)
    {
        using (_lock.Hold())
        {
            read(_sites.Values);
        }
    }
}
