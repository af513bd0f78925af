namespace Tarn.Traces;

/// <summary>
/// A connection to a <see cref="DiagnosticPort"/>, of a process that waits before its first instruction or has been resumed.
/// </summary>
/// <param name="id">The process.</param>
/// <param name="runtime">What distinguishes its runtime from all others: an id of a process may be used again.</param>
/// <param name="connection">The connection, which serves one command.</param>
internal sealed class WaitingProcess(int id, Guid runtime, Stream connection)
{
    internal int Id { get; } = id;

    internal Guid Runtime { get; } = runtime;

    internal Stream Connection { get; } = connection;

    /// <summary>Resumes the process. The runtime then connects again, so that its port can send another command.</summary>
    /// <exception cref="IOException">The process has ended.</exception>
    internal void Resume() => _ = DiagnosticsCommand.Resume.Send(Connection);
}
