using System.Buffers.Binary;

namespace Tarn.Traces;

/// <summary>
/// A command of the diagnostics protocol (documented in dotnet/diagnostics), sent over a connection that serves one command.
/// </summary>
/// <param name="Set">The command set.</param>
/// <param name="Code">Its number in the command set.</param>
internal readonly record struct DiagnosticsCommand(byte Set, byte Code)
{
    /// <summary>
    /// Resumes a runtime that waits before its first instruction. It works only on a connection of the port that the runtime waits for.
    /// </summary>
    internal static readonly DiagnosticsCommand Resume = new(ProcessCommands, 0x01);

    /// <summary>Requests the command line, program and runtime.</summary>
    internal static readonly DiagnosticsCommand ProcessInfo2 = new(ProcessCommands, 0x04);

    /// <summary>Starts a session whose events the connection then carries.</summary>
    internal static readonly DiagnosticsCommand CollectTracing2 = new(TraceCommands, 0x03);

    /// <summary>The same, with a choice whether events have stacks.</summary>
    internal static readonly DiagnosticsCommand CollectTracing3 = new(TraceCommands, 0x04);

    /// <summary>Ends a session.</summary>
    internal static readonly DiagnosticsCommand StopTracing = new(TraceCommands, 0x01);

    private const int HeadBytes = 20;
    private const int LengthAt = 14;
    private const int SetAt = 16;
    private const byte TraceCommands = 0x02;
    private const byte ProcessCommands = 0x04;
    private const byte ServerReplies = 0xFF;
    private const byte Succeeded = 0x00;

    private static ReadOnlySpan<byte> Magic => "DOTNET_IPC_V1\0"u8;

    /// <summary>Sends the command and returns the body of the reply.</summary>
    /// <exception cref="IOException">The connection broke off.</exception>
    /// <exception cref="DiagnosticsRefusal">The runtime refuses.</exception>
    internal byte[] Send(Stream connection, ReadOnlySpan<byte> arguments = default)
    {
        byte[] message = new byte[HeadBytes + arguments.Length];
        Magic.CopyTo(message);
        BinaryPrimitives.WriteUInt16LittleEndian(message.AsSpan(LengthAt), checked((ushort)message.Length));
        message[SetAt] = Set;
        message[SetAt + 1] = Code;
        arguments.CopyTo(message.AsSpan(HeadBytes));
        connection.Write(message);

        Span<byte> head = stackalloc byte[HeadBytes];
        connection.ReadExactly(head);
        var body = new byte[Math.Max(0, BinaryPrimitives.ReadUInt16LittleEndian(head[LengthAt..]) - HeadBytes)];
        connection.ReadExactly(body);
        return (head[SetAt], head[SetAt + 1]) == (ServerReplies, Succeeded)
            ? body
            : throw new DiagnosticsRefusal($"The runtime refuses diagnostics command {Set}.{Code}.");
    }
}
