using System;
using System.Buffers;
using System.IO;
using System.Threading.Tasks;

/// <summary>Ranges of memory and of spans are parts, as slices are.</summary>
internal static class Ranges
{
    internal static Memory<byte> Leaves(int length)
    {
        using IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(length);
        return owner.Memory[..length]; // expect TARN003
    }

    internal static byte Used(int length)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(length);
        Span<byte> part = array.AsSpan()[1..length];
        ArrayPool<byte>.Shared.Return(array);
        return part[0]; // expect TARN002
    }

    internal static ValueTask Written(Stream stream, int length)
    {
        using IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(length);
        return stream.WriteAsync(owner.Memory[..length]); // expect TARN006
    }

    internal static byte Last(int length)
    {
        using IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(length);
        return owner.Memory.Span[..length][^1];
    }

    internal static byte[] Copied(int length)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(length);
        byte[] copy = array[..length];
        ArrayPool<byte>.Shared.Return(array);
        return copy;
    }
}
