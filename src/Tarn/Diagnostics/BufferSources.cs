using System.Runtime.CompilerServices;

namespace Tarn.Diagnostics;

/// <summary>Every pool and heap alive in the process, held weakly.</summary>
internal static class BufferSources
{
    private static readonly Lock s_lock = new();
    private static readonly WeakList<IBufferSource> s_sources = new();
    private static bool s_tracing;
    private static bool s_sampling;

    /// <summary>Makes a source visible to metrics, events and snapshots, and notifies it if it is traced.</summary>
    /// <remarks>
    /// It does not create the event source, because the shared pools call it inside a static constructor (see
    /// <see cref="TarnEventSource"/>).
    /// </remarks>
    internal static void Add(IBufferSource source)
    {
        SamplingEnvironment.Apply();
        using (s_lock.Hold())
        {
            s_sources.Add(source);
            if (s_tracing)
            {
                source.OnTracingChanged(everyBuffer: true);
            }

            if (s_sampling)
            {
                source.OnSamplingChanged(isSampled: true);
            }
        }
    }

    /// <summary>The id of a source in events and snapshots: its hash code, as in the BCL's pools.</summary>
    internal static int IdOf(IBufferSource source) => RuntimeHelpers.GetHashCode(source);

    /// <summary>Returns the sources alive now, the oldest first.</summary>
    internal static List<IBufferSource> GetAll()
    {
        using (s_lock.Hold())
        {
            return s_sources.GetAlive();
        }
    }

    /// <summary>Reads whether a listener receives every rent and return, and notifies all sources, present and future.</summary>
    /// <remarks>One lock covers both, so after two changes every source has the later value.</remarks>
    internal static void UpdateTracing()
    {
        using (s_lock.Hold())
        {
            s_tracing = TarnEventSource.IsTracing;
            StreamCounters.OnTracingChanged(s_tracing);
            s_sources.GetAlive().ForEach(static source => source.OnTracingChanged(s_tracing));
        }
    }

    /// <summary>Notifies all sources, present and future, whether rents are sampled.</summary>
    internal static void UpdateSampling(bool isSampled)
    {
        using (s_lock.Hold())
        {
            s_sampling = isSampled;
            s_sources.GetAlive().ForEach(source => source.OnSamplingChanged(isSampled));
        }
    }
}
