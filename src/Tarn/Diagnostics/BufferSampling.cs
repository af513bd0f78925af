using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Tarn.Diagnostics;

/// <summary>Whether rents are sampled, and the profile they are sampled for.</summary>
/// <remarks>
/// While sampling is on, pools and heaps send every rent behind the inlined hit, where <see cref="SampleCountdown"/> counts it. While it is
/// off, nothing in the library tests for it on a hit. All members are safe to call from any thread.
/// </remarks>
internal static class BufferSampling
{
    /// <summary>The key under which a listener passes an interval when it enables the event source.</summary>
    internal const string IntervalArgument = "SampleInterval";

    private static readonly Lock s_lock = new();
    private static SampleProfile? s_profile;

    /// <summary>Whether a listener began the current sampling, which then ends with the last listener.</summary>
    private static bool s_isListeners;

    /// <summary>The current profile; null while nothing is sampled.</summary>
    internal static SampleProfile? Profile => Volatile.Read(ref s_profile);

    /// <summary>
    /// Begins a new profile, and drops the one before. Does not touch the event source, whose lock the caller may hold.
    /// </summary>
    internal static void Start(SamplingOptions options, bool isListeners = false) => Change(new SampleProfile(options), isListeners);

    /// <summary>Ends sampling and drops the profile.</summary>
    internal static void Stop() => Change(null, isListeners: false);

    /// <summary>
    /// Begins sampling for a listener that asked for it, if nothing is sampled yet. Returns a message if the interval is not understood.
    /// </summary>
    internal static string? StartFor(IDictionary<string, string?>? arguments)
    {
        if (arguments is null || !arguments.TryGetValue(IntervalArgument, out string? text))
        {
            return null;
        }

        if (!SamplingEnvironment.TryParse(text, out long interval))
        {
            return $"{IntervalArgument}=\"{text}\" of an event listener was ignored; pass {SamplingEnvironment.Known}.";
        }

        using (s_lock.Hold())
        {
            if (s_profile is null && interval > 0)
            {
                Start(new SamplingOptions(interval, NewSeed()), isListeners: true);
            }
        }

        return null;
    }

    /// <summary>Ends sampling that a listener began.</summary>
    internal static void StopForListeners()
    {
        using (s_lock.Hold())
        {
            if (s_isListeners)
            {
                Stop();
            }
        }
    }

    /// <summary>A seed for a profile that need not be repeated.</summary>
    internal static ulong NewSeed() => unchecked((ulong)Stopwatch.GetTimestamp() * 0x9E3779B97F4A7C15);

    /// <summary>
    /// Takes the sample of a rent that <see cref="SampleCountdown.Passes"/> did not pass, once its buffer is there. Null if sampling has
    /// ended or there is no memory.
    /// </summary>
    /// <param name="source">The name of the pool or heap.</param>
    /// <param name="kind">Its kind.</param>
    /// <param name="eventId">Its id in events.</param>
    /// <param name="bytes">The size of the buffer that was counted.</param>
    /// <param name="asked">The size that was asked for.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static Sample? Take(string source, string kind, int eventId, long bytes, long asked)
    {
        if (Profile is not { } profile)
        {
            return null;
        }

        long began = Stopwatch.GetTimestamp();
        double mean = SampleCountdown.Mean;
        SampleCountdown.Pause(profile);
        try
        {
            Sample sample = profile.Add(source, kind, bytes, mean);
            TarnEventSource.Log?.BufferSampled(sample, eventId, asked);
            return sample;
        }
        catch (OutOfMemoryException)
        {
            return null;
        }
        finally
        {
            SampleCountdown.Resume();
            profile.Throttle.Spend(Stopwatch.GetElapsedTime(began));
        }
    }

    private static void Change(SampleProfile? profile, bool isListeners)
    {
        using (s_lock.Hold())
        {
            s_profile?.Dispose();
            s_isListeners = isListeners;
            Volatile.Write(ref s_profile, profile);
            SampleCountdown.Redraw();
            BufferSources.UpdateSampling(profile is not null);
        }
    }
}
