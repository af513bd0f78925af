using System.Buffers;
using Tarn.Torture.Findings;

namespace Tarn.Torture.Storms;

/// <summary>A stream whose every byte bears its owner's stamp.</summary>
internal sealed class StampedStream(PooledMemoryStream stream)
{
    private static long s_lastStamp;

    private readonly long _stamp = Interlocked.Increment(ref s_lastStamp);

    /// <summary>The contents that a caller must see.</summary>
    private long _length;

    /// <summary>Writes behind the end, by one of the ways there are. Where there is no memory for it, nothing has changed.</summary>
    internal void Append(int count, Random random)
    {
        stream.Position = _length;
        switch (random.Next(5))
        {
            case 0:
                Span<byte> room = stream.GetSpan(count);
                StampPattern.Fill(room[..count], _stamp, _length);
                stream.Advance(count);
                break;
            case 1:
                stream.Write(new ReadOnlySequence<byte>(BytesAt(_length, count)));
                break;
            case 2:
                using (MemoryStream source = new(BytesAt(_length, count)))
                {
                    stream.CopyFrom(source);
                }

                break;
            default:
                stream.Write(BytesAt(_length, count));
                break;
        }

        _length += count;
    }

    /// <summary>Rewrites existing bytes in the middle.</summary>
    internal void Overwrite(Random random)
    {
        long from = random.NextInt64(_length + 1);
        stream.Position = from;
        stream.Write(BytesAt(from, (int)Math.Min(_length - from, random.Next(10_000))));
    }

    internal void Truncate(long length)
    {
        _length = Math.Min(length, _length);
        stream.SetLength(_length);
    }

    /// <summary>Verifies it as it is.</summary>
    internal void Verify()
    {
        Require.Equal(_length, stream.Length, "A stream's length");
        VerifyBytes(stream.GetReadOnlySequence());
    }

    /// <summary>Verifies it, by one of the ways to look at it, and gives its memory back, by one of the ways to do so.</summary>
    internal void Release(Random random)
    {
        Require.Equal(_length, stream.Length, "A stream's length");
        switch (random.Next(5))
        {
            case 0:
                using (OwnedSequence<byte> detached = stream.Detach())
                {
                    VerifyBytes(detached.Sequence);
                }

                break;
            case 1:
                byte[] read = new byte[_length];
                stream.Position = 0;
                stream.ReadExactly(read);
                VerifyBytes(new ReadOnlySequence<byte>(read));
                break;
            case 2:
                using (MemoryStream copy = new())
                {
                    stream.WriteTo(copy);
                    VerifyBytes(new ReadOnlySequence<byte>(copy.GetBuffer(), 0, (int)copy.Length));
                }

                break;
            default:
                VerifyBytes(stream.GetReadOnlySequence());
                break;
        }

        stream.Dispose();
        stream.Dispose();
    }

    private byte[] BytesAt(long offset, int count)
    {
        byte[] bytes = new byte[count];
        StampPattern.Fill(bytes, _stamp, offset);
        return bytes;
    }

    private void VerifyBytes(ReadOnlySequence<byte> bytes)
    {
        Require.Equal(_length, bytes.Length, "The length of a stream's contents");
        long offset = 0;
        foreach (ReadOnlyMemory<byte> segment in bytes)
        {
            Require.That(
                StampPattern.Matches(segment.Span, _stamp, offset),
                $"A stream of {_length} bytes stamped {_stamp} holds others in the {segment.Length} bytes from {offset} on.");
            offset += segment.Length;
        }
    }
}
