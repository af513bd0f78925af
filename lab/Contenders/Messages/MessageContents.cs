using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn.Lab.Contenders.Messages;

/// <summary>
/// The contents of messages: their number, in some the time they were sent, and bytes derived from the number. All bytes are written and
/// verified, so that a lost, torn or reordered message cannot pass.
/// </summary>
internal static class MessageContents
{
    public const int LongestMessage = 4 << 20;

    /// <summary>A number and a time.</summary>
    public const int ShortestMessage = NumberSize + TimeSize;

    private const int NumberSize = sizeof(long);
    private const int TimeSize = sizeof(long);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Write(Span<byte> message, long number)
    {
        MemoryMarshal.Write(message, number);
        message[NumberSize..].Fill((byte)number);
    }

    /// <summary>Writes the number and the last byte, and none between them.</summary>
    public static void WriteEnds(Span<byte> message, long number)
    {
        message[^1] = (byte)number;
        MemoryMarshal.Write(message, number);
    }

    public static void WriteTime(Span<byte> message, long timestamp) => MemoryMarshal.Write(message[NumberSize..], timestamp);

    public static long ReadTime(ReadOnlySpan<byte> message) => MemoryMarshal.Read<long>(message[NumberSize..]);

    /// <exception cref="InvalidDataException">It is not the message of that number and length.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Verify(ReadOnlySpan<byte> message, long number, int length) => Verify(message, number, length, NumberSize);

    /// <summary>Verifies a message that contains a time.</summary>
    /// <exception cref="InvalidDataException">It is not the message of that number and length.</exception>
    public static void VerifyTimed(ReadOnlySpan<byte> message, long number, int length) =>
        Verify(message, number, length, NumberSize + TimeSize);

    /// <summary>Verifies a message that has a number, a time and a last byte.</summary>
    /// <exception cref="InvalidDataException">It is not the message of that number and length.</exception>
    public static void VerifyEnds(ReadOnlySpan<byte> message, long number, int length)
    {
        // A message without bytes behind the time has a last byte of the time there.
        if (message.Length != length
            || MemoryMarshal.Read<long>(message) != number
            || (length > ShortestMessage && message[^1] != (byte)number))
        {
            Refuse(message, number, length);
        }
    }

    /// <summary>Verifies a message of any number, and returns the number.</summary>
    /// <exception cref="InvalidDataException">It is not of that length, or torn.</exception>
    public static long VerifyAny(ReadOnlySpan<byte> message, int length)
    {
        long number = message.Length < NumberSize ? -1 : MemoryMarshal.Read<long>(message);
        Verify(message, number, length);
        return number;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Verify(ReadOnlySpan<byte> message, long number, int length, int filledFrom)
    {
        if (message.Length != length
            || MemoryMarshal.Read<long>(message) != number
            || message[filledFrom..].ContainsAnyExcept((byte)number))
        {
            Refuse(message, number, length);
        }
    }

    private static void Refuse(ReadOnlySpan<byte> message, long number, int length)
    {
        string came = message.Length < NumberSize ? "no number" : $"the number {MemoryMarshal.Read<long>(message)}";
        throw new InvalidDataException(
            $"Message {number} of {length} bytes was expected, but one of {message.Length} bytes with {came} arrived, or its bytes "
                + "differ.");
    }
}
