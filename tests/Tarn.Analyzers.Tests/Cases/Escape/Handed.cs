using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;

internal sealed class Handed
{
    private readonly Dictionary<string, ReadOnlyMemory<byte>> _cache = [];
    private ReadOnlyMemory<byte> _last;

    internal void Cached(string key, Stream source, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        try
        {
            source.ReadExactly(buffer, 0, length);
            _cache[key] = new ReadOnlyMemory<byte>(buffer, 0, length); // expect TARN003
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    internal void CachedForNow(string key, Stream source, int length, Action<string> look)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        source.ReadExactly(buffer, 0, length);
        _cache[key] = buffer.AsMemory(0, length);
        look(key);
        _cache.Remove(key);
        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal void CachedAsCopy(string key, Stream source, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        source.ReadExactly(buffer, 0, length);
        _cache[key] = buffer.AsSpan(0, length).ToArray();
        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static bool TryRead(Stream source, int length, out ReadOnlyMemory<byte> read)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        try
        {
            int count = source.Read(buffer, 0, length);
            read = buffer.AsMemory(0, count); // expect TARN003
            return count > 0;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    internal static bool TryReadCopy(Stream source, int length, out ReadOnlyMemory<byte> read)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        read = buffer.AsMemory(0, length);
        source.ReadExactly(buffer, 0, length);
        read = read.ToArray();
        ArrayPool<byte>.Shared.Return(buffer);
        return true;
    }

    internal static void ReadArray(Stream source, int length, out byte[] read)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        source.ReadExactly(buffer, 0, length);
        read = buffer; // expect TARN003
        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static bool TryReadOwned(Stream source, int length, out Memory<byte> read)
    {
        using IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(length);
        read = owner.Memory.Slice(0, length); // expect TARN003
        return source.Read(read.Span) == length;
    }

    internal void KeepOwned(Stream source, int length)
    {
        using IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(length);
        source.ReadExactly(owner.Memory.Span[..length]);
        _last = owner.Memory[..length]; // expect TARN003
    }
}
