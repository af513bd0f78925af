using System.Buffers;
using System.Text;

namespace Tarn.Diagnostics;

/// <summary>Encodes one message of protocol buffers: the few kinds of fields that a profile has.</summary>
internal sealed class ProtobufMessage
{
    private const int Varint = 0;
    private const int LengthDelimited = 2;

    private readonly ArrayBufferWriter<byte> _bytes = new();

    /// <summary>Adds a number, or nothing if it is the default, 0.</summary>
    internal void Add(int field, long value)
    {
        if (value != 0)
        {
            WriteTag(field, Varint);
            Write((ulong)value);
        }
    }

    /// <summary>Adds a message.</summary>
    internal void Add(int field, ProtobufMessage message) => AddBytes(field, message._bytes.WrittenSpan);

    /// <summary>Adds a text, even an empty one: an element of a list has a place.</summary>
    internal void Add(int field, string text) => AddBytes(field, Encoding.UTF8.GetBytes(text));

    /// <summary>Adds a list of numbers.</summary>
    internal void AddPacked(int field, params ReadOnlySpan<long> values)
    {
        ProtobufMessage packed = new();
        foreach (long value in values)
        {
            packed.Write((ulong)value);
        }

        Add(field, packed);
    }

    /// <summary>Writes the message without a length, as a whole file has it.</summary>
    internal void WriteTo(Stream destination) => destination.Write(_bytes.WrittenSpan);

    private void AddBytes(int field, ReadOnlySpan<byte> bytes)
    {
        WriteTag(field, LengthDelimited);
        Write((ulong)bytes.Length);
        _bytes.Write(bytes);
    }

    private void WriteTag(int field, int kind) => Write((ulong)((field << 3) | kind));

    /// <summary>Writes seven bits a byte, the lowest first; the highest bit of a byte says that more follow.</summary>
    private void Write(ulong value)
    {
        Span<byte> bytes = stackalloc byte[10];
        int count = 0;
        while (value >= 0x80)
        {
            bytes[count++] = (byte)(value | 0x80);
            value >>= 7;
        }

        bytes[count++] = (byte)value;
        _bytes.Write(bytes[..count]);
    }
}
