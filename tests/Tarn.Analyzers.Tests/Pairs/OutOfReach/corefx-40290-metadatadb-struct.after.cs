// dotnet/corefx#39930, fixed by dotnet/corefx#40290 (JsonDocument.MetadataDb).
// A struct that owned a rented array checked its field for null, returned it, and only then set it to null: not safe
// when two threads dispose the document that holds it. The fix exchanges the field for null first.
using System;
using System.Buffers;
using System.Threading;

internal struct RowTable : IDisposable
{
    private byte[]? _data;

    internal RowTable(int payloadLength)
    {
        _data = ArrayPool<byte>.Shared.Rent(payloadLength + 12);
        Length = 0;
    }

    internal int Length { get; private set; }

    internal void Append(ReadOnlySpan<byte> row)
    {
        if (Length >= _data!.Length - row.Length)
        {
            Enlarge();
        }

        row.CopyTo(_data.AsSpan(Length));
        Length += row.Length;
    }

    public void Dispose()
    {
        byte[]? data = Interlocked.Exchange(ref _data, null);
        if (data == null)
        {
            return;
        }

        ArrayPool<byte>.Shared.Return(data);
        Length = 0;
    }

    private void Enlarge()
    {
        byte[] toReturn = _data!;
        _data = ArrayPool<byte>.Shared.Rent(toReturn.Length * 2);
        Buffer.BlockCopy(toReturn, 0, _data, 0, toReturn.Length);
        ArrayPool<byte>.Shared.Return(toReturn);
    }
}
