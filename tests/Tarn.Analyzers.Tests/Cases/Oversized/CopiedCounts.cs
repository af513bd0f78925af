using System;
using System.Buffers;

/// <summary>Copies of as many elements as the rented array really has.</summary>
internal sealed class CopiedCounts
{
    private byte[] _rest = [];
    private int _count;

    internal void Keep(byte[] source, int used, int count)
    {
        _rest = ArrayPool<byte>.Shared.Rent(count - used);
        Buffer.BlockCopy(source, used, _rest, 0, _rest.Length); // expect TARN007
        ArrayPool<byte>.Shared.Return(source);
    }

    internal void KeepCounted(byte[] source, int used, int count)
    {
        _count = count - used;
        _rest = ArrayPool<byte>.Shared.Rent(_count);
        Buffer.BlockCopy(source, used, _rest, 0, _count);
        ArrayPool<byte>.Shared.Return(source);
    }

    internal static byte[] Copy(byte[] source)
    {
        byte[] copy = ArrayPool<byte>.Shared.Rent(source.Length);
        Array.Copy(source, copy, copy.Length); // expect TARN007
        return copy;
    }

    internal static byte[] CopyCounted(byte[] source)
    {
        byte[] copy = ArrayPool<byte>.Shared.Rent(source.Length);
        Array.Copy(source, copy, source.Length);
        return copy;
    }

    internal void Shrink(int count)
    {
        byte[] smaller = ArrayPool<byte>.Shared.Rent(count);
        Array.Copy(_rest, smaller, smaller.Length);
        ArrayPool<byte>.Shared.Return(_rest);
        _rest = smaller;
    }

    internal static byte[] Measured(byte[] source, int count)
    {
        byte[] copy = ArrayPool<byte>.Shared.Rent(count);
        Array.Copy(source, copy, Math.Min(copy.Length, source.Length));
        return copy;
    }
}
