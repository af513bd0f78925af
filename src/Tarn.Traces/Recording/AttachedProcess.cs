using Microsoft.Diagnostics.NETCore.Client;

namespace Tarn.Traces;

/// <summary>A running process, reached over its own socket, or its pipe on Windows.</summary>
internal sealed class AttachedProcess(int id) : IRecordedProcess
{
    public int Id { get; } = id;

    public IEventSession Start(EventPipeProvider[] providers, bool withStacks, int bufferMegabytes)
    {
        try
        {
            var client = new DiagnosticsClient(Id);
            return new Session(withStacks
                ? client.StartEventPipeSession(providers, requestRundown: true, bufferMegabytes)
                : PoolEvents.StartWithoutStacks(client, providers, bufferMegabytes));
        }
        catch (Exception exception)
            when (exception is DiagnosticsClientException or IOException or TimeoutException or UnauthorizedAccessException)
        {
            throw new RecordingException($"Process {Id} cannot be recorded: {exception.Message}", exception);
        }
    }

    public ProcessFacts Ask(CancellationToken cancellation) => ProcessFacts.Ask(Id);

    private sealed class Session(EventPipeSession session) : IEventSession
    {
        public Stream Events => session.EventStream;

        public void Stop()
        {
            try
            {
                session.Stop();
            }
            catch (Exception exception) when (exception is DiagnosticsClientException or TimeoutException)
            {
                throw new IOException(exception.Message, exception);
            }
        }

        public void Dispose() => session.Dispose();
    }
}
