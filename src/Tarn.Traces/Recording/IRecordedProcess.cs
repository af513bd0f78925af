using Microsoft.Diagnostics.NETCore.Client;

namespace Tarn.Traces;

/// <summary>A process to record, however it is reached: over its own socket, or over the port that it connected to.</summary>
internal interface IRecordedProcess
{
    int Id { get; }

    /// <summary>Starts a session.</summary>
    /// <param name="providers">The event sources.</param>
    /// <param name="withStacks">Whether events have stacks, and the session lists the methods at its end.</param>
    /// <param name="bufferMegabytes">What the process may use for events that are not read yet.</param>
    /// <exception cref="RecordingException">The process cannot be recorded; the message names it and the reason.</exception>
    IEventSession Start(EventPipeProvider[] providers, bool withStacks, int bufferMegabytes);

    /// <summary>What the process says of itself; <see cref="ProcessFacts.Unknown"/> if it does not answer.</summary>
    ProcessFacts Ask(CancellationToken cancellationToken);
}
