using Microsoft.Diagnostics.NETCore.Client;
using Microsoft.Diagnostics.Tracing;
using Tarn.Traces;

namespace Tarn.Tool.Asking;

/// <summary>A session with a process, whose events are read on a thread of its own as they arrive.</summary>
internal sealed class ProcessSession : IDisposable
{
    private static readonly TimeSpan s_longestStop = TimeSpan.FromSeconds(10);

    private readonly IEventSession _session;
    private readonly Task _reading;

    private ProcessSession(IEventSession session, Action<TraceEvent> receive)
    {
        _session = session;
        _reading = Task.Factory.StartNew(
            () => Read(session, receive), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
    }

    /// <summary>Whether the process ended, or the session otherwise.</summary>
    public bool HasEnded => _reading.IsCompleted;

    /// <summary>Begins to receive events.</summary>
    /// <param name="process">The process.</param>
    /// <param name="providers">The event sources.</param>
    /// <param name="bufferMegabytes">What the process may use for events that are not read yet.</param>
    /// <param name="receive">What receives the events, one at a time.</param>
    /// <exception cref="RecordingException">The process cannot be attached to.</exception>
    public static ProcessSession Start(int process, EventPipeProvider[] providers, int bufferMegabytes, Action<TraceEvent> receive) =>
        new(new AttachedProcess(process).Start(providers, withStacks: false, bufferMegabytes), receive);

    /// <summary>Ends the session and leaves the process as it was. Abandons a process that does not answer.</summary>
    public void Dispose()
    {
        try
        {
            if (Task.Run(_session.Stop).Wait(s_longestStop))
            {
                _ = _reading.Wait(s_longestStop);
            }
        }
        catch (AggregateException exception) when (exception.InnerException is IOException)
        {
            // The process has ended, and the session with it; or it is suspended, and ends the session when it finds the stream closed.
        }

        _session.Dispose();
    }

    private static void Read(IEventSession session, Action<TraceEvent> receive)
    {
        try
        {
            using var source = new EventPipeEventSource(session.Events);
            source.Dynamic.All += receive;
            _ = source.Process();
        }
        catch (Exception exception) when (exception is IOException or FormatException or ObjectDisposedException)
        {
            // A killed process cuts its stream off.
        }
    }
}
