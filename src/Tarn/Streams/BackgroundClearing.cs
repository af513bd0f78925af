namespace Tarn;

/// <summary>Clears segments on a thread-pool thread and then returns them, for streams whose threads must not spend that time.</summary>
/// <remarks>
/// At most <see cref="MaxWaitingBytes"/> wait to be cleared. A caller that would exceed this clears its memory itself; no caller waits for
/// another. One thread-pool thread works at a time, and only while memory waits. All members are safe to call from any thread.
/// </remarks>
internal static class BackgroundClearing
{
    /// <summary>The most bytes that may wait, because waiting memory cannot be reused.</summary>
    internal const long MaxWaitingBytes = 64 << 20;

    private static readonly Lock s_lock = new();
    private static readonly Queue<Work> s_waiting = new();
    private static long s_waitingBytes;
    private static bool s_isWorking;

    /// <summary>Bytes that wait to be cleared.</summary>
    internal static long WaitingBytes => Volatile.Read(ref s_waitingBytes);

    /// <summary>
    /// Takes over a segment, to clear its first <paramref name="written"/> bytes; false when too many bytes wait already.
    /// </summary>
    /// <remarks>Native segments are never deferred: code that disposes their heap cannot know that they are still being cleared.</remarks>
    internal static bool TryAdd(in Segment segment, int written, PooledMemoryStreamOptions options)
    {
        if (segment.IsNative)
        {
            return false;
        }

        bool start;
        using (s_lock.Hold())
        {
            if (WaitingBytes + written > MaxWaitingBytes)
            {
                return false;
            }

            try
            {
                s_waiting.Enqueue(new Work(segment, written, options));
            }
            catch (OutOfMemoryException)
            {
                // The caller clears the memory now.
                return false;
            }

            Interlocked.Add(ref s_waitingBytes, written);
            start = !s_isWorking;
            s_isWorking = true;
        }

        if (start)
        {
            Start();
        }

        return true;
    }

    /// <summary>Has a thread-pool thread do the work; without memory to ask for one, this one does.</summary>
    private static void Start()
    {
        try
        {
            ThreadPool.UnsafeQueueUserWorkItem(static _ => Run(), null);
        }
#pragma warning disable CA1031 // whatever the reason, work that is marked as begun must be done by somebody
        catch (Exception)
#pragma warning restore CA1031
        {
            Run();
        }
    }

    private static void Run()
    {
        while (TryTake(out Work work))
        {
            try
            {
                work.Segment.Clear(work.Written);
                work.Segment.Return(work.Options);
            }
#pragma warning disable CA1031 // one segment must neither keep the others from being cleared nor end the process
            catch (Exception)
#pragma warning restore CA1031
            {
                // A pool with checks found that the array was returned already, and reported it; a listener's callback threw; or there is
                // no memory. There is no caller to throw to. An array that did not go back is left to the garbage collector.
            }

            Interlocked.Add(ref s_waitingBytes, -work.Written);
        }
    }

    private static bool TryTake(out Work work)
    {
        using (s_lock.Hold())
        {
            s_isWorking = s_waiting.TryDequeue(out work);
            return s_isWorking;
        }
    }

    private readonly record struct Work(Segment Segment, int Written, PooledMemoryStreamOptions Options);
}
