using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;

/// <summary>All of the array is read, and it may be longer than was asked for.</summary>
internal sealed class Sinks
{
    private static readonly ArrayPool<byte> s_pool = ArrayPool<byte>.Shared;

    public static string Text(Stream stream, int n)
    {
        byte[] array = s_pool.Rent(n);
        try
        {
            stream.ReadExactly(array, 0, n);
            return Encoding.UTF8.GetString(array); // expect TARN007
        }
        finally
        {
            s_pool.Return(array);
        }
    }

    public static string Characters(string source)
    {
        char[] array = ArrayPool<char>.Shared.Rent(source.Length);
        source.CopyTo(0, array, 0, source.Length);
        string text = new string(array); // expect TARN007
        string all = new string(array, 0, array.Length); // expect TARN007
        string good = new string(array, 0, source.Length);
        ArrayPool<char>.Shared.Return(array);
        return text + all + good;
    }

    public static void Streams(Stream from, Stream to, int n)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(n);
        int read = from.Read(array);
        read += from.Read(array, 0, array.Length);
        to.Write(array); // expect TARN007
        to.Write(array, 0, array.Length); // expect TARN007
        to.Write(array.AsSpan()); // expect TARN007
        to.Write(array, 0, read);
        to.Write(array.AsSpan(0, read));
        to.Write(array.AsSpan()[..read]);
        ArrayPool<byte>.Shared.Return(array);
    }

    public static async Task StreamsAsync(Stream from, Stream to, int n, CancellationToken cancellation)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(n);
        int read = await from.ReadAsync(array, cancellation);
        await to.WriteAsync(array, cancellation); // expect TARN007
        await to.WriteAsync(array.AsMemory(), cancellation).ConfigureAwait(false); // expect TARN007
        await to.WriteAsync(array, 0, array.Length, cancellation); // expect TARN007
        await to.WriteAsync(array.AsMemory(0, read), cancellation);
        ArrayPool<byte>.Shared.Return(array);
    }

    public static void ReadsTooMuch(Stream stream, int n)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(n);
        stream.ReadExactly(array); // expect TARN007
        stream.ReadExactly(array.AsSpan()); // expect TARN007
        stream.ReadExactly(array, 0, array.Length); // expect TARN007
        stream.ReadExactly(array, 0, n);
        stream.ReadExactly(array.AsSpan(0, n));
        ArrayPool<byte>.Shared.Return(array);
    }

    public static bool Compares(ReadOnlySpan<byte> expected)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(expected.Length);
        expected.CopyTo(array);
        bool same = array.AsSpan().SequenceEqual(expected); // expect TARN007
        same &= expected.SequenceEqual(array); // expect TARN007
        same &= expected.SequenceEqual(array.AsSpan(0, expected.Length));
        ArrayPool<byte>.Shared.Return(array);
        return same;
    }

    public static byte[] Copies(ReadOnlySpan<byte> source, byte[] target)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(source.Length);
        source.CopyTo(array);
        array.CopyTo(target, 0); // expect TARN007
        array.AsSpan().CopyTo(target); // expect TARN007
        Array.Copy(array, target, array.Length); // expect TARN007
        Buffer.BlockCopy(array, 0, target, 0, array.Length); // expect TARN007
        Array.Copy(array, target, source.Length);
        Array.Copy(target, array, source.Length);
        object clone = array.Clone(); // expect TARN007
        byte[] result = array.ToArray(); // expect TARN007
        ArrayPool<byte>.Shared.Return(array);
        return clone is null ? target : result;
    }

    public static int Elements(IReadOnlyCollection<int> source)
    {
        int[] array = ArrayPool<int>.Shared.Rent(source.Count);
        int i = 0;
        foreach (int item in source)
        {
            array[i++] = item;
        }

        int sum = 0;
        foreach (int item in array) // expect TARN007
        {
            sum += item;
        }

        sum += array.Sum(); // expect TARN007
        sum += array.Max(); // expect TARN007
        sum += array.Take(i).Sum();
        sum += array.Select(item => item + 1).Take(i).Sum();
        List<int> list = new(array); // expect TARN007
        list.AddRange(array); // expect TARN007
        Array.Sort(array); // expect TARN007
        Array.Sort(array, 0, i);
        Array.Reverse(array); // expect TARN007
        string joined = string.Join(",", array); // expect TARN007
        sum += array[^1]; // expect TARN007
        ArrayPool<int>.Shared.Return(array);
        return sum + joined.Length + list.Count;
    }

    public static string Hashes(Stream stream, int n, HashAlgorithm algorithm, IncrementalHash incremental)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(n);
        stream.ReadExactly(array, 0, n);
        byte[] hash = SHA256.HashData(array); // expect TARN007
        hash = SHA256.HashData(array.AsSpan(0, n));
        hash = algorithm.ComputeHash(array); // expect TARN007
        hash = algorithm.ComputeHash(array, 0, n);
        incremental.AppendData(array); // expect TARN007
        string text = Convert.ToBase64String(array) // expect TARN007
            + Convert.ToHexString(array) // expect TARN007
            + BitConverter.ToString(array); // expect TARN007
        text += Convert.ToBase64String(array, 0, n);
        ArrayPool<byte>.Shared.Return(array);
        return text + hash.Length;
    }

    public static T? Readers<T>(Stream stream, int n, string path)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(n);
        stream.ReadExactly(array, 0, n);
        File.WriteAllBytes(path, array); // expect TARN007
        using MemoryStream copy = new(array); // expect TARN007
        using MemoryStream fixedCopy = new(array, writable: false); // expect TARN007
        using MemoryStream good = new(array, 0, n);
        using ByteArrayContent content = new(array); // expect TARN007
        using JsonDocument document = JsonDocument.Parse(array); // expect TARN007
        T? result = JsonSerializer.Deserialize<T>(array); // expect TARN007
        result = JsonSerializer.Deserialize<T>(array.AsSpan(0, n));
        ArrayPool<byte>.Shared.Return(array);
        return result;
    }

    public static void Owner(Stream from, Stream to, int n)
    {
        using IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(n);
        Memory<byte> memory = owner.Memory;
        int read = from.Read(memory.Span);
        to.Write(owner.Memory.Span); // expect TARN007
        to.Write(memory.Span); // expect TARN007
        to.Write(memory.Span[..read]);
        to.Write(owner.Memory.Span.Slice(0, read));
    }

    public static string StackOrPool(string source)
    {
        char[]? rented = null;
        Span<char> span = source.Length <= 256 ? stackalloc char[256] : (rented = ArrayPool<char>.Shared.Rent(source.Length));
        source.CopyTo(span);
        string text = new string(span); // expect TARN007
        string other = span.ToString(); // expect TARN007
        span = span[..source.Length];
        string good = new string(span) + span.ToString();
        if (rented is not null)
        {
            ArrayPool<char>.Shared.Return(rented);
        }

        return text + other + good;
    }

    public static int Loop(int n)
    {
        int[] array = ArrayPool<int>.Shared.Rent(n);
        for (int i = 0; i < n; i++)
        {
            array[i] = i;
        }

        int sum = 0;
        for (int i = 0; i < array.Length; i++) // expect TARN007
        {
            sum += array[i];
        }

        ArrayPool<int>.Shared.Return(array);
        return sum;
    }

    public static void Variable(Stream stream, int n)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(n);
        int length = array.Length;
        int read = stream.Read(array, 0, length);
        stream.Write(array, 0, length); // expect TARN007
        stream.Write(array, 4, length - 4);
        stream.Write(array.AsSpan(4)); // expect TARN007
        stream.Write(array, 0, read);
        ArrayPool<byte>.Shared.Return(array);
    }

    public static string PowerOfTwo(Guid id)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(16);
        id.TryWriteBytes(array);
        string text = Convert.ToBase64String(array); // expect TARN007
        ArrayPool<byte>.Shared.Return(array);
        return text;
    }

    /// <summary>All was filled, and more goes out than was asked for.</summary>
    public static void Padding(Stream stream, int n)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(n);
        array.AsSpan().Fill(0x20);
        stream.Write(array, 0, array.Length); // expect TARN007
        ArrayPool<byte>.Shared.Return(array);
    }

    public static void Tail(Stream stream, byte[] header, int n)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(n);
        header.CopyTo(array, 0);
        byte[] tail = array[4..]; // expect TARN007
        Span<byte> span = array;
        byte last = span[^1]; // expect TARN007
        array[^1] = last;
        stream.Write(span[4..]); // expect TARN007
        stream.Write(span[4..n]);
        stream.Write(tail);
        ArrayPool<byte>.Shared.Return(array);
    }

    /// <summary>One way rents and one does not: the bug is on the one that does, and on no path it is well.</summary>
    public static void TwoRents(Stream stream, int n, bool isLarge)
    {
        byte[] array = isLarge ? ArrayPool<byte>.Shared.Rent(n) : ArrayPool<byte>.Shared.Rent(n + 10);
        stream.ReadExactly(array, 0, n);
        stream.Write(array); // expect TARN007
        ArrayPool<byte>.Shared.Return(array);
    }

    public static int[] Collected(IEnumerable<int> source, int n)
    {
        int[] array = ArrayPool<int>.Shared.Rent(n);
        int count = 0;
        foreach (int item in source)
        {
            array[count++] = item;
        }

        try
        {
            return array.OrderBy(static item => item).ToArray(); // expect TARN007
        }
        finally
        {
            ArrayPool<int>.Shared.Return(array);
        }
    }

    /// <summary>As much as fits is read until there is as much as was asked for.</summary>
    public static void ReadsOn(Stream stream, int length)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(length);
        int done = 0;
        while (done < length)
        {
            done += stream.Read(array, done, array.Length - done); // expect TARN007
        }

        ArrayPool<byte>.Shared.Return(array);
    }

    /// <summary>How much was read is believed to be how much was asked for.</summary>
    public static async Task ReadsBlindlyAsync(Stream stream)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(12);
        stream.Read(array); // expect TARN007
        await stream.ReadAsync(array, 0, array.Length); // expect TARN007
        int read = stream.Read(array);
        stream.Write(array, 0, Math.Min(read, 12));
        ArrayPool<byte>.Shared.Return(array);
    }

    public static int Encodes(Stream stream, Span<byte> target, int n)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(n);
        stream.ReadExactly(array, 0, n);
        System.Buffers.Text.Base64.EncodeToUtf8(array, target, out int _, out int written); // expect TARN007
        System.Buffers.Text.Utf8Parser.TryParse(array, out int value, out int consumed);
        ArrayPool<byte>.Shared.Return(array);
        return written + value + consumed;
    }
}
