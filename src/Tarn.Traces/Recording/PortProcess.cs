using System.Collections.Concurrent;
using Microsoft.Diagnostics.NETCore.Client;

namespace Tarn.Traces;

/// <summary>
/// A process that connected to a <see cref="DiagnosticPort"/>. A connection serves one command, after which the runtime connects again. The
/// process needs no socket of its own, which it lacks where its folder for temporary files is missing or has too long a path.
/// </summary>
internal sealed class PortProcess(int id) : IRecordedProcess
{
    private static readonly TimeSpan s_longestWait = TimeSpan.FromSeconds(10);

    private readonly BlockingCollection<Stream> _connections = [];
    private bool _isResumed;

    public int Id { get; } = id;

    /// <summary>Adds the process's next connection.</summary>
    internal void Add(Stream connection) => _connections.Add(connection);

    /// <summary>Has the process run, if it still waits before its first instruction.</summary>
    /// <exception cref="IOException">The process has ended.</exception>
    internal void Resume()
    {
        if (!_isResumed)
        {
            _ = Send(DiagnosticsCommand.Resume, [], CancellationToken.None);
            _isResumed = true;
        }
    }

    public IEventSession Start(EventPipeProvider[] providers, bool withStacks, int bufferMegabytes) =>
        TraceSession.Start(Id, () => Take(CancellationToken.None), providers, withStacks, bufferMegabytes);

    public ProcessFacts Ask(CancellationToken cancellationToken)
    {
        try
        {
            return ProcessFacts.Parse(Send(DiagnosticsCommand.ProcessInfo2, [], cancellationToken));
        }
        catch (Exception exception) when (exception is IOException or ArgumentException or OperationCanceledException)
        {
            return ProcessFacts.Unknown;
        }
    }

    private byte[] Send(DiagnosticsCommand command, ReadOnlySpan<byte> body, CancellationToken cancellationToken)
    {
        using Stream connection = Take(cancellationToken);
        return command.Send(connection, body);
    }

    private Stream Take(CancellationToken cancellationToken) =>
        _connections.TryTake(out Stream? connection, (int)s_longestWait.TotalMilliseconds, cancellationToken)
            ? connection
            : throw new IOException($"Process {Id} did not connect again.");
}
