// DSharpPlus/DSharpPlus, commit d44f271f: advancing returned the array and kept it in the field, so the next span that was asked for
// returned it again. The fix forgets it.
using System;
using System.Buffers;

internal abstract class PcmWriter
{
    private byte[]? _rented;

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        ReturnAndRent(sizeHint);
        return _rented;
    }

    public Span<byte> GetSpan(int sizeHint = 0)
    {
        ReturnAndRent(sizeHint);
        return _rented;
    }

    public void Advance(int bytes)
    {
        if (_rented is null)
        {
            throw new InvalidOperationException("Advance may be called once for each buffer.");
        }

        Process(_rented.AsSpan()[..bytes]);
        ArrayPool<byte>.Shared.Return(_rented);
        _rented = null;
    }

    protected abstract void Process(ReadOnlySpan<byte> bytes);

    private void ReturnAndRent(int size)
    {
        if (_rented is not null)
        {
            ArrayPool<byte>.Shared.Return(_rented);
        }

        _rented = ArrayPool<byte>.Shared.Rent(size == 0 ? 16384 : size);
    }
}
