using System.Diagnostics;

namespace Tarn.Traces;

/// <summary>Samples what a process allocates, one session after another.</summary>
/// <param name="process">The process.</param>
/// <param name="isRandom">Whether its runtime samples each byte with the same chance.</param>
/// <param name="detail">What to ask of the process; more than its allocations only where that is random.</param>
/// <param name="whyCancelled">Says, when <paramref name="cancellationToken"/> ends a session, what that means.</param>
/// <param name="cancellationToken">Ends the session.</param>
internal sealed class AllocationSampler(
    IRecordedProcess process, bool isRandom, AllocationDetail detail, Func<RecordingCut> whyCancelled, CancellationToken cancellationToken)
{
    private const int BufferMegabytes = 256;
    private const int CollectionBufferMegabytes = 16;

    private readonly bool _isFollowed = isRandom && detail != AllocationDetail.Allocations;

    /// <summary>Begins a session.</summary>
    /// <exception cref="RecordingException">The process cannot be recorded.</exception>
    internal IEventSession Start() =>
        process.Start(new AllocationEvents(isRandom, _isFollowed).Providers(), withStacks: true, BufferMegabytes);

    /// <summary>Samples in a session until the process ends, the time is over, or there are so many bytes of events.</summary>
    /// <param name="session">The session, which this ends.</param>
    /// <param name="time">The longest time; null for no end.</param>
    /// <param name="mostBytes">The most bytes; null for as many as a recording may have.</param>
    /// <param name="onEnd">Called when the session ends before the process.</param>
    internal SampledWindow Sample(IEventSession session, TimeSpan? time, long? mostBytes, Action onEnd)
    {
        StackedEvents stacked = mostBytes is { } most ? new(most) : new();
        var stream = new EndOfStream(session.Events);
        var watch = Stopwatch.StartNew();
        bool hasCollected = false;
        void Stop()
        {
            hasCollected = detail == AllocationDetail.InUseAfterCollection && HasCollected();
            onEnd();
            session.Stop();
        }

        RecordingCut cut = Copy(Stop, stacked, stream, time, watch, out TimeSpan ending);
        return new SampledWindow(stacked, new AllocationEvents(isRandom, _isFollowed))
        {
            HasCollected = hasCollected,
            Cut = cut | (stream.IsWhole ? 0 : RecordingCut.Broken),
            Length = watch.Elapsed,
            Ending = ending,
            Period = watch.Elapsed,
        };
    }

    /// <summary>Copies the stream until the process, the time or the session ends. Returns what that cuts off.</summary>
    private RecordingCut Copy(
        Action stopSession, StackedEvents stacked, EndOfStream stream, TimeSpan? time, Stopwatch watch, out TimeSpan ending)
    {
        RecordingCut cut = RecordingCut.None;
        var end = new Stopwatch();
        using var ended = new SessionEnd(
            () =>
            {
                watch.Stop();
                end.Start();
                try
                {
                    stopSession();
                    cut = cancellationToken.IsCancellationRequested ? whyCancelled()
                        : stacked.IsFull ? RecordingCut.Bytes
                        : RecordingCut.Time;
                }
                catch (IOException)
                {
                    // The process ended before, and the session with it.
                }
            },
            time,
            cancellationToken);
        try
        {
            stacked.CopyAll(stream, ended.Begin);
        }
        catch (Exception exception) when (exception is IOException or ObjectDisposedException)
        {
            // A killed process cuts its stream off; what was copied until then is read.
        }

        ended.Dispose();
        watch.Stop();
        ending = end.Elapsed;
        return cut;
    }

    /// <summary>Has the process collect all its garbage, which it does before it answers that the session has started.</summary>
    private bool HasCollected()
    {
        try
        {
            using IEventSession session = process.Start(AllocationEvents.Collection, withStacks: false, CollectionBufferMegabytes);
            session.Stop();
            return true;
        }
        catch (Exception exception) when (exception is RecordingException or IOException)
        {
            // The process has ended, or has as many sessions as it can have.
            return false;
        }
    }
}
