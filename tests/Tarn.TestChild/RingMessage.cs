using System.Buffers.Binary;
using System.Numerics;

namespace Tarn.TestChild;

/// <summary>
/// Messages that are known by their number, every byte of them: the generation of its writer in the upper half, in the lower the index
/// among the messages of that generation.
/// </summary>
internal static class RingMessage
{
    /// <summary>The number stands at the beginning of every message that has room for it: of three in four at least.</summary>
    private const int NumberLength = sizeof(ulong);

    internal static ulong NumberOf(long generation, long index) => ((ulong)generation << 32) | (uint)index;

    internal static long GenerationOf(ulong number) => (long)(number >> 32);

    internal static long IndexOf(ulong number) => (uint)number;

    /// <summary>Every fourth may be shorter than its number, or empty; lengths are mostly short, and often the longest.</summary>
    internal static int LengthOf(ulong number, int longest)
    {
        ulong hash = Mix(number);
        int random = (int)(hash >> 40);
        int length = (hash % 16) switch
        {
            < 2 => 0,
            2 => longest,
            < 10 => random % Math.Min(longest, 64),
            _ => random % (longest + 1),
        };
        return number % 4 == 3 ? length : Math.Max(length, NumberLength);
    }

    internal static void Fill(Span<byte> message, ulong number)
    {
        if (message.Length >= NumberLength)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(message, number);
            message = message[NumberLength..];
        }

        ulong seed = Mix(number);
        for (; message.Length >= sizeof(ulong); message = message[sizeof(ulong)..])
        {
            BinaryPrimitives.WriteUInt64LittleEndian(message, seed = Next(seed));
        }

        for (int i = 0; i < message.Length; i++)
        {
            message[i] = (byte)((seed = Next(seed)) >> 56);
        }
    }

    internal static byte[] Create(ulong number, int longest)
    {
        byte[] message = new byte[LengthOf(number, longest)];
        Fill(message, number);
        return message;
    }

    internal static bool Is(ReadOnlySpan<byte> message, ulong number, int longest)
    {
        if (message.Length != LengthOf(number, longest))
        {
            return false;
        }

        Span<byte> expected = message.Length <= 4096 ? stackalloc byte[message.Length] : new byte[message.Length];
        Fill(expected, number);
        return message.SequenceEqual(expected);
    }

    /// <summary>The number in a message, or null when the message is too short.</summary>
    internal static ulong? Told(ReadOnlySpan<byte> message) =>
        message.Length < NumberLength ? null : BinaryPrimitives.ReadUInt64LittleEndian(message);

    private static ulong Mix(ulong number)
    {
        ulong hash = (number + 1) * 0x9E3779B97F4A7C15;
        hash ^= hash >> 32;
        hash *= 0xD6E8FEB86659FD93;
        return hash ^ (hash >> 29);
    }

    private static ulong Next(ulong seed) => BitOperations.RotateLeft(seed * 0x9E3779B97F4A7C15, 23) + 0xD6E8FEB86659FD93;
}
