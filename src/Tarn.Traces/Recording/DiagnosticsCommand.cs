using System.Buffers.Binary;

namespace Tarn.Traces;

/// <summary>
/// A command without arguments of the diagnostics protocol (documented in dotnet/diagnostics), sent over a connection that serves one
/// command.
/// </summary>
/// <param name="Code">Its number in the command set for processes.</param>
internal readonly record struct DiagnosticsCommand(byte Code)
{
    /// <summary>
    /// Resumes a runtime that waits before its first instruction. It works only on a connection of the port that the runtime waits for.
    /// </summary>
    internal static readonly DiagnosticsCommand Resume = new(0x01);

    /// <summary>Requests the command line, program and runtime.</summary>
    internal static readonly DiagnosticsCommand ProcessInfo2 = new(0x04);

    private const int HeadBytes = 20;
    private const int LengthAt = 14;
    private const int SetAt = 16;
    private const byte ProcessCommands = 0x04;
    private const byte ServerReplies = 0xFF;
    private const byte Succeeded = 0x00;

    private static ReadOnlySpan<byte> Magic => "DOTNET_IPC_V1\0"u8;

    /// <summary>Sends the command and returns the body of the reply.</summary>
    /// <exception cref="IOException">The connection broke off, or the runtime refuses.</exception>
    internal byte[] Send(Stream connection)
    {
        Span<byte> head = stackalloc byte[HeadBytes];
        head.Clear();
        Magic.CopyTo(head);
        BinaryPrimitives.WriteUInt16LittleEndian(head[LengthAt..], HeadBytes);
        head[SetAt] = ProcessCommands;
        head[SetAt + 1] = Code;
        connection.Write(head);

        connection.ReadExactly(head);
        var body = new byte[Math.Max(0, BinaryPrimitives.ReadUInt16LittleEndian(head[LengthAt..]) - HeadBytes)];
        connection.ReadExactly(body);
        return (head[SetAt], head[SetAt + 1]) == (ServerReplies, Succeeded)
            ? body
            : throw new IOException($"The runtime refuses diagnostics command {ProcessCommands}.{Code}.");
    }
}
