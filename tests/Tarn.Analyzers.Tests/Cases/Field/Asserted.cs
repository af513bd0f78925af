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
        Give(System.Threading.Interlocked.Exchange(ref _buffer, null));
        Give(System.Threading.Interlocked.Exchange(ref _other, null));
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

    private static void Give(byte[]? buffer)
    {
        if (buffer is not null)
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }
}
