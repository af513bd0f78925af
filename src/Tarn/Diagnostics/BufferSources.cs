namespace Tarn;

/// <summary>Every pool and heap alive in the process, held weakly.</summary>
internal static class BufferSources
{
    private static readonly Lock s_lock = new();
    private static readonly List<WeakReference<IBufferSource>> s_sources = [];
    private static bool s_tracing;

    /// <summary>Makes a source visible to metrics, events and snapshots, and tells it whether it is traced.</summary>
    internal static void Add(IBufferSource source)
    {
        TarnEventSource.EnsureCreated();
        TarnMeter.EnsureCreated();
        bool tracing;
        lock (s_lock)
        {
            s_sources.RemoveAll(static reference => !reference.TryGetTarget(out _));
            s_sources.Add(new WeakReference<IBufferSource>(source));
            tracing = s_tracing;
        }

        if (tracing)
        {
            source.OnTracingChanged(everyBuffer: true);
        }
    }

    /// <summary>The sources alive now, the oldest first.</summary>
    internal static List<IBufferSource> GetAll()
    {
        lock (s_lock)
        {
            List<IBufferSource> alive = new(s_sources.Count);
            foreach (WeakReference<IBufferSource> reference in s_sources)
            {
                if (reference.TryGetTarget(out IBufferSource? source))
                {
                    alive.Add(source);
                }
            }

            return alive;
        }
    }

    /// <summary>Tells every source, those to come included.</summary>
    internal static void SetTracing(bool everyBuffer)
    {
        lock (s_lock)
        {
            s_tracing = everyBuffer;
        }

        foreach (IBufferSource source in GetAll())
        {
            source.OnTracingChanged(everyBuffer);
        }
    }
}
