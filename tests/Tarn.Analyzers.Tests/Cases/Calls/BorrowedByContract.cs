using System;
using System.Buffers;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;

/// <summary>An override keeps the contract of the base library's method, and native code gets no array to keep.</summary>
internal abstract class BorrowedByContract : Stream
{
    private byte[]? _kept;

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(buffer.Length); // expect TARN011
        int read = await ReadAsync(array, 0, buffer.Length, cancellationToken);
        array.AsSpan(0, read).CopyTo(buffer.Span);
        return read;
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken)
    {
        // The field is reset below.
        _kept = buffer;
        int read = Read(_kept, offset, count);
        _kept = null;
        return Task.FromResult(read);
    }

    internal int ReadLink(string path)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(256); // expect TARN011
        return ReadLink(path, buffer, 256);
    }

    internal int ReadLinkAndReturn(string path)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(256);
        int length = ReadLink(path, buffer, 256);
        ArrayPool<byte>.Shared.Return(buffer);
        return length;
    }

    internal void HandOver(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        Take(buffer);
    }

    protected abstract void Take(byte[] buffer);

    [DllImport("native")]
    private static extern int ReadLink(string path, byte[] buffer, int length);
}
