// UglyToad/PdfPig#964 (commit 2b14ae03): the decoded bytes were given out as memory of a writer that the using disposed, and the next filter
// wrote over them. The fix gives out a copy.
using System;
using System.Buffers;

internal sealed class Ascii85Filter
{
    private static readonly int[] s_powers = [1, 85, 85 * 85, 85 * 85 * 85, 85 * 85 * 85 * 85];

    public ReadOnlyMemory<byte> Decode(ReadOnlySpan<byte> input)
    {
        Span<byte> group = stackalloc byte[5];

        var index = 0;

        using var writer = new PooledWriter<byte>();

        for (var i = 0; i < input.Length; i++)
        {
            var value = input[i];

            if (value is (byte)' ' or (byte)'\r' or (byte)'\n')
            {
                continue;
            }

            if (value == '~')
            {
                break;
            }

            group[index] = (byte)(value - '!');
            index++;

            if (index == 5)
            {
                Write(group, index, writer);
                index = 0;
            }
        }

        if (index > 0)
        {
            Write(group, index, writer);
        }

        return writer.WrittenMemory; // expect TARN003
    }

    private static void Write(Span<byte> group, int count, PooledWriter<byte> writer)
    {
        for (var i = count; i < 5; i++)
        {
            group[i] = 84;
        }

        var value = 0;
        for (var i = 0; i < 5; i++)
        {
            value += group[i] * s_powers[4 - i];
        }

        Span<byte> target = writer.GetSpan(4);
        for (var i = 0; i < count - 1; i++)
        {
            target[i] = (byte)(value >> (24 - (8 * i)));
        }

        writer.Advance(count - 1);
    }
}

internal sealed class PooledWriter<T> : IBufferWriter<T>, IDisposable
{
    private T[]? _buffer = ArrayPool<T>.Shared.Rent(256);
    private int _written;

    public ReadOnlyMemory<T> WrittenMemory => _buffer.AsMemory(0, _written);

    public void Advance(int count) => _written += count;

    public Memory<T> GetMemory(int sizeHint = 0)
    {
        Reserve(sizeHint);
        return _buffer.AsMemory(_written);
    }

    public Span<T> GetSpan(int sizeHint = 0)
    {
        Reserve(sizeHint);
        return _buffer.AsSpan(_written);
    }

    public void Dispose()
    {
        T[]? buffer = _buffer;
        _buffer = null;
        if (buffer is not null)
        {
            ArrayPool<T>.Shared.Return(buffer);
        }
    }

    private void Reserve(int sizeHint)
    {
        T[] old = _buffer ?? throw new ObjectDisposedException(nameof(PooledWriter<T>));
        if (old.Length - _written >= Math.Max(sizeHint, 1))
        {
            return;
        }

        T[] grown = ArrayPool<T>.Shared.Rent(old.Length + Math.Max(sizeHint, old.Length));
        old.AsSpan(0, _written).CopyTo(grown);
        _buffer = grown;
        ArrayPool<T>.Shared.Return(old);
    }
}
