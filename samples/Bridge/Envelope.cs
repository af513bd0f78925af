using System.Buffers.Binary;

namespace Samples;

/// <summary>What goes before a message on its way: which ring it comes from, and where it lay there.</summary>
/// <param name="Ring">The id of the source ring. A ring that is created anew has another one, and its positions begin at 0 again.</param>
/// <param name="Position">
/// The position of the message in the source ring. It is the sequence number: a restarted sender finds it in the ring, so the same message
/// never gets another one.
/// </param>
internal readonly record struct Envelope(Guid Ring, long Position)
{
    /// <summary>The bytes that it takes.</summary>
    internal const int Length = 16 + sizeof(long);

    internal static Envelope Read(ReadOnlySpan<byte> body) => body.Length < Length
        ? throw new InvalidDataException($"A message of {body.Length} bytes is in the queue, which no bridge sent.")
        : new Envelope(new Guid(body[..16]), BinaryPrimitives.ReadInt64LittleEndian(body[16..]));

    internal void Write(Span<byte> body)
    {
        Ring.TryWriteBytes(body);
        BinaryPrimitives.WriteInt64LittleEndian(body[16..], Position);
    }
}
