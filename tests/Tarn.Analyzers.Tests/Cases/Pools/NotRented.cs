using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;

internal sealed class NotRented
{
    private static readonly ArrayPool<char> s_chars = ArrayPool<char>.Create();
    private readonly ArrayPool<byte> _own = ArrayPool<byte>.Create(1 << 20, 8);
    private readonly ArrayPool<byte> _other = ArrayPool<byte>.Create();
    private readonly ArrayPool<byte> _given = ArrayPool<byte>.Create();

    internal NotRented(ArrayPool<byte>? given) => _given = given ?? ArrayPool<byte>.Shared;

    internal void OwnToShared(Stream source)
    {
        byte[] buffer = _own.Rent(10);
        source.ReadExactly(buffer, 0, 10);
        ArrayPool<byte>.Shared.Return(buffer); // expect TARN008
    }

    internal void SharedToOwn(string text)
    {
        char[] buffer = ArrayPool<char>.Shared.Rent(text.Length);
        text.CopyTo(0, buffer, 0, text.Length);
        s_chars.Return(buffer); // expect TARN008
    }

    internal void OwnToOther(Stream source)
    {
        byte[] buffer = _own.Rent(10);
        source.ReadExactly(buffer, 0, 10);
        _other.Return(buffer); // expect TARN008
    }

    internal void OwnToOwn(Stream source)
    {
        ArrayPool<byte> pool = _own;
        byte[] buffer = pool.Rent(10);
        source.ReadExactly(buffer, 0, 10);
        this._own.Return(buffer);
    }

    internal void GivenMayBeShared(Stream source)
    {
        byte[] buffer = _given.Rent(10);
        source.ReadExactly(buffer, 0, 10);
        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static int Copied(List<int> numbers)
    {
        int[] sorted = numbers.ToArray();
        Array.Sort(sorted);
        int median = sorted[sorted.Length / 2];
        ArrayPool<int>.Shared.Return(sorted); // expect TARN008
        return median;
    }

    internal static int CopiedQuery(IEnumerable<int> numbers)
    {
        int[] sorted = numbers.Order().ToArray();
        int first = sorted[0];
        ArrayPool<int>.Shared.Return(sorted); // expect TARN008
        return first;
    }

    internal static void Encoded(Stream target, string text)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(text);
        target.Write(bytes);
        ArrayPool<byte>.Shared.Return(bytes); // expect TARN008
    }

    internal static void CopiedOrRented(Stream target, MemoryStream source, bool isSmall)
    {
        int length = (int)source.Length;
        byte[] bytes = isSmall ? source.ToArray() : ArrayPool<byte>.Shared.Rent(length);
        target.Write(bytes, 0, length);
        if (!isSmall)
        {
            ArrayPool<byte>.Shared.Return(bytes);
        }
    }
}

internal static class OfElements
{
    internal static void Returned()
    {
        byte[] bytes = [1, 2, 3];
        Console.WriteLine(bytes[0]);
        ArrayPool<byte>.Shared.Return(bytes); // expect TARN008
    }

    internal static void Empty(Stream source, int length)
    {
        byte[] bytes = [];
        try
        {
            if (length > 0)
            {
                bytes = ArrayPool<byte>.Shared.Rent(length);
                source.ReadExactly(bytes, 0, length);
            }
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(bytes);
        }
    }
}
