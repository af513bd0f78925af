// dotnet/corefx#39930, fixed by dotnet/corefx#40290 (JsonDocument.Dispose).
// Dispose cleared and returned the rented bytes and set the field to null afterwards: two threads that dispose at the
// same time both saw the array and both returned it. The fix takes the array out of the field by Interlocked.Exchange.
using System;
using System.Buffers;
using System.Threading;

internal sealed class Document : IDisposable
{
    private ReadOnlyMemory<byte> _utf8;
    private byte[]? _extraRented;

    private Document(ReadOnlyMemory<byte> utf8, byte[]? extraRented)
    {
        _utf8 = utf8;
        _extraRented = extraRented;
    }

    internal int Length => _utf8.Length;

    internal static Document Parse(ReadOnlySpan<byte> utf8)
    {
        byte[] rented = ArrayPool<byte>.Shared.Rent(utf8.Length);
        utf8.CopyTo(rented);
        return new Document(rented.AsMemory(0, utf8.Length), rented);
    }

    public void Dispose()
    {
        int length = _utf8.Length;
        if (length == 0)
        {
            return;
        }

        byte[]? extraRented = Interlocked.Exchange(ref _extraRented, null);
        if (extraRented != null)
        {
            extraRented.AsSpan(0, length).Clear();
            ArrayPool<byte>.Shared.Return(extraRented);
        }

        _utf8 = ReadOnlyMemory<byte>.Empty;
    }
}
