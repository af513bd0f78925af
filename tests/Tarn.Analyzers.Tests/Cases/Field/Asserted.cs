using System;
using System.Buffers;
using System.Diagnostics;

// What an assertion says is so.
internal sealed class Asserted : IDisposable
{
    private byte[]? _buffer;
    private byte[]? _other;

    public void Dispose()
    {
        byte[]? buffer = _buffer;
        if (buffer is not null)
        {
            _buffer = null;
            ArrayPool<byte>.Shared.Return(buffer);
        }

        byte[]? other = _other;
        if (other is not null)
        {
            _other = null;
            ArrayPool<byte>.Shared.Return(other);
        }
    }

    internal void Fill(int count)
    {
        Debug.Assert(_buffer == null);
        _buffer = ArrayPool<byte>.Shared.Rent(count);
    }

    internal void Grow(int count)
    {
        if (_other!.Length < count)
        {
            _other = ArrayPool<byte>.Shared.Rent(count); // expect TARN011
        }
    }

    internal static int Known(int count, bool isLarge)
    {
        byte[]? rented = isLarge ? ArrayPool<byte>.Shared.Rent(count) : null;
        Debug.Assert(rented is not null);
        int first = rented[0];
        ArrayPool<byte>.Shared.Return(rented);
        return first;
    }
}
