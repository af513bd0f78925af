namespace Tarn.Traces;

/// <summary>A process that connected to a <see cref="DiagnosticPort"/> and waits before its first instruction.</summary>
internal sealed class WaitingProcess(int id, Stream connection)
{
    internal int Id { get; } = id;

    /// <summary>Resumes the process. The runtime then connects again, so that its port can send another command.</summary>
    /// <exception cref="IOException">The process has ended.</exception>
    internal void Resume() => _ = DiagnosticsCommand.Resume.Send(connection);
}
