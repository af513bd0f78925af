using System.Buffers.Binary;
using Microsoft.Diagnostics.NETCore.Client;

namespace Tarn.Traces;

/// <summary>A session that a command over one connection began, and a command over another ends.</summary>
internal sealed class TraceSession : IEventSession
{
    private readonly Func<Stream> _connect;
    private readonly ulong _session;

    private TraceSession(Func<Stream> connect, ulong session, Stream events) => (_connect, _session, Events) = (connect, session, events);

    public Stream Events { get; }

    /// <summary>Starts a session.</summary>
    /// <param name="id">The process.</param>
    /// <param name="connect">Makes a connection to it.</param>
    /// <param name="providers">The event sources.</param>
    /// <param name="withStacks">Whether events have stacks, and the session lists the methods at its end.</param>
    /// <param name="bufferMegabytes">What the process may use for events that are not read yet.</param>
    /// <exception cref="RecordingException">The process cannot be recorded; the message names it and the reason.</exception>
    internal static TraceSession Start(
        int id, Func<Stream> connect, EventPipeProvider[] providers, bool withStacks, int bufferMegabytes)
    {
        try
        {
            // Before .NET 9 every event includes its stack, which is slower but otherwise the same.
            return (withStacks ? null : TryStart(connect, TraceRequest.WithoutStacks(providers, bufferMegabytes)))
                ?? TryStart(connect, TraceRequest.WithStacks(providers, withStacks, bufferMegabytes))
                ?? throw new RecordingException($"Process {id} cannot be recorded: its runtime refuses.");
        }
        catch (Exception exception) when (exception is IOException and not RecordingException)
        {
            throw new RecordingException($"Process {id} cannot be recorded: {exception.Message}", exception);
        }
    }

    public void Stop()
    {
        Span<byte> body = stackalloc byte[sizeof(ulong)];
        BinaryPrimitives.WriteUInt64LittleEndian(body, _session);
        using Stream connection = _connect();
        _ = DiagnosticsCommand.StopTracing.Send(connection, body);
    }

    public void Dispose() => Events.Dispose();

    private static TraceSession? TryStart(Func<Stream> connect, TraceRequest request)
    {
        Stream connection = connect();
        try
        {
            byte[] reply = request.Command.Send(connection, request.Body);
            return new TraceSession(connect, BinaryPrimitives.ReadUInt64LittleEndian(reply), connection);
        }
        catch (DiagnosticsRefusal)
        {
            connection.Dispose();
            return null;
        }
        catch
        {
            connection.Dispose();
            throw;
        }
    }
}
