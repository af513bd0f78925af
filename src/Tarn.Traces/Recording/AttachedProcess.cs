using Microsoft.Diagnostics.NETCore.Client;

namespace Tarn.Traces;

/// <summary>A running process, reached over its own socket, or its pipe on Windows.</summary>
internal sealed class AttachedProcess(int id) : IRecordedProcess
{
    public int Id { get; } = id;

    public IEventSession Start(EventPipeProvider[] providers, bool withStacks, int bufferMegabytes) =>
        TraceSession.Start(Id, () => ProcessConnection.Open(Id), providers, withStacks, bufferMegabytes);

    public ProcessFacts Ask(CancellationToken cancellationToken) => ProcessFacts.Ask(Id);
}
