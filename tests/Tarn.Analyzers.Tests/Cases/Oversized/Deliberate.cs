using System;
using System.Buffers;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Text;
using System.Threading.Tasks;

/// <summary>All of the array is meant, or only so much of it is read as there is.</summary>
internal sealed class Deliberate
{
    private byte[] _buffer = [];
    private int _count;

    public static int SumOfAll(int length)
    {
        int[] table = ArrayPool<int>.Shared.Rent(length);
        for (int i = 0; i < table.Length; i++)
        {
            table[i] = i;
        }

        int sum = table.Sum();
        ArrayPool<int>.Shared.Return(table);
        return sum;
    }

    public static void CopyStream(Stream from, Stream to)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(81920);
        int read;
        while ((read = from.Read(array, 0, array.Length)) != 0)
        {
            to.Write(array, 0, read);
        }

        ArrayPool<byte>.Shared.Return(array);
    }

    public static async Task CopyStreamAsync(Stream from, Stream to)
    {
        using IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(4096);
        int read;
        while ((read = await from.ReadAsync(owner.Memory)) != 0)
        {
            await to.WriteAsync(owner.Memory[..read]);
        }
    }

    /// <summary>Whatever the pool gives is written, block after block.</summary>
    public static void WriteZeros(Stream stream, long total)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(4000);
        Array.Clear(array);
        while (total >= array.Length)
        {
            stream.Write(array, 0, array.Length);
            total -= array.Length;
        }

        stream.Write(array, 0, (int)total);
        ArrayPool<byte>.Shared.Return(array);
    }

    public static void WriteZerosBySteps(Stream stream, long total)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(4000);
        array.AsSpan().Clear();
        while (total > 0)
        {
            int count = (int)Math.Min(total, array.Length);
            stream.Write(array, 0, count);
            total -= count;
        }

        ArrayPool<byte>.Shared.Return(array);
    }

    public void FlushWhenFull(Stream stream, ReadOnlySpan<byte> source, int n)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(n);
        int position = 0;
        foreach (byte value in source)
        {
            if (position == array.Length)
            {
                stream.Write(array);
                position = 0;
            }

            array[position++] = value;
        }

        stream.Write(array, 0, position);
        ArrayPool<byte>.Shared.Return(array);
    }

    public static void WholeBlocks(Stream from, Stream to, int n)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(n);
        int read;
        while ((read = from.Read(array, 0, array.Length)) == array.Length)
        {
            to.Write(array);
        }

        to.Write(array, 0, read);
        ArrayPool<byte>.Shared.Return(array);
    }

    /// <summary>Growth copies all that there is, and it does no harm.</summary>
    public void Grow(ReadOnlySpan<int> source)
    {
        int[] array = ArrayPool<int>.Shared.Rent(16);
        int count = 0;
        foreach (int value in source)
        {
            if (count == array.Length)
            {
                int[] larger = ArrayPool<int>.Shared.Rent(array.Length * 2);
                array.CopyTo(larger, 0);
                ArrayPool<int>.Shared.Return(array);
                array = larger;
            }

            array[count++] = value;
        }

        ArrayPool<int>.Shared.Return(array);
    }

    public static void GrowOnce(int[] source)
    {
        int[] array = ArrayPool<int>.Shared.Rent(source.Length);
        source.CopyTo(array, 0);
        int[] larger = ArrayPool<int>.Shared.Rent(source.Length * 2);
        array.AsSpan().CopyTo(larger);
        Array.Copy(array, larger, array.Length);
        ArrayPool<int>.Shared.Return(array);
        ArrayPool<int>.Shared.Return(larger);
    }

    public void Field(Stream stream, int n)
    {
        if (_buffer.Length < n)
        {
            ArrayPool<byte>.Shared.Return(_buffer);
            _buffer = ArrayPool<byte>.Shared.Rent(n);
        }

        _count = stream.Read(_buffer, 0, _buffer.Length);
        stream.Write(_buffer, 0, _count);
    }

    public static void Fills(Stream stream, Socket socket, int n)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(n);
        Array.Clear(array);
        Array.Fill(array, (byte)1);
        array.AsSpan().Fill(2);
        RandomNumberGenerator.Fill(array);
        Random.Shared.NextBytes(array);
        int read = stream.Read(array);
        read += socket.Receive(array);
        read += Encoding.UTF8.GetBytes("text", 0, 4, array, 0);
        read += Encoding.UTF8.GetBytes("text", array);
        BinaryPrimitives.WriteInt32LittleEndian(array, n);
        read += BinaryPrimitives.ReadInt32LittleEndian(array);
        read += BitConverter.ToInt32(array);
        read += array.AsSpan().IndexOf((byte)0);
        read += Array.IndexOf(array, (byte)0);
        SHA256.HashData(array.AsSpan(0, n), array);
        CryptographicOperations.ZeroMemory(array);
        stream.Write(array, 0, read);
        ArrayPool<byte>.Shared.Return(array);
    }

    /// <summary>A stream to write into: nothing is in the array yet.</summary>
    public static int WriteInto(Stream target, int n)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(n);
        using MemoryStream stream = new(array);
        stream.WriteByte(1);
        target.Write(array, 0, (int)stream.Position);
        ArrayPool<byte>.Shared.Return(array);
        return n;
    }

    public static string BackToFront(uint value)
    {
        char[] array = ArrayPool<char>.Shared.Rent(20);
        int position = array.Length;
        do
        {
            array[--position] = (char)('0' + (value % 10));
            value /= 10;
        }
        while (value != 0);

        string text = new string(array, position, array.Length - position) + array.AsSpan(position).ToString();
        ArrayPool<char>.Shared.Return(array);
        return text;
    }

    public static void Disposes(IEnumerable<IDisposable> source, int n)
    {
        IDisposable[] array = ArrayPool<IDisposable>.Shared.Rent(n);
        source.ToArray().CopyTo(array, 0);
        foreach (IDisposable each in array)
        {
            each?.Dispose();
        }

        for (int i = 0; i < array.Length; i++)
        {
            array[i] = null!;
        }

        ArrayPool<IDisposable>.Shared.Return(array);
    }

    public static string Chosen(string source, bool isPooled)
    {
        char[] array = isPooled ? ArrayPool<char>.Shared.Rent(source.Length) : new char[source.Length];
        source.CopyTo(0, array, 0, source.Length);
        string text = isPooled ? new string(array, 0, source.Length) : new string(array);
        if (isPooled)
        {
            ArrayPool<char>.Shared.Return(array);
        }

        return text;
    }

    public static string Perhaps(string source, char[]? given)
    {
        char[] array = given ?? ArrayPool<char>.Shared.Rent(source.Length); // expect TARN011
        string text = new string(array);
        return text;
    }

    public static void AnyLength(Stream stream)
    {
        using IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent();
        stream.Write(owner.Memory.Span);
    }

    /// <summary>Random bytes of no certain length: all of them are as good.</summary>
    public static void Sample(Stream stream)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(1000);
        Random.Shared.NextBytes(array);
        stream.Write(array, 0, array.Length);
        ArrayPool<byte>.Shared.Return(array);
    }

    public static void OfTarn(Stream stream, int n)
    {
        byte[] array = Tarn.BufferPool<byte>.Shared.RentExact(n);
        stream.ReadExactly(array);
        stream.Write(array);
        Tarn.BufferPool<byte>.Shared.Return(array);
        using IMemoryOwner<byte> owner = Tarn.BufferPool<byte>.Shared.LeaseMemory(n);
        stream.Write(owner.Memory.Span);
    }

    public static void Passed(int n)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(n);
        Own(array);
        OwnSpan(array);
        ArrayPool<byte>.Shared.Return(array);
    }

    private static void Own(byte[] array) => array[0] = 1;

    private static void OwnSpan(ReadOnlySpan<byte> span) => span.ToString();

    /// <summary>Filled and compared as a whole.</summary>
    public static bool RoundTrip(Func<byte[], byte[]> echo, int n)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(n);
        array.AsSpan().Fill(0x42);
        byte[] result = echo(array.ToArray());
        Random.Shared.NextBytes(array);
        bool same = array.AsSpan().SequenceEqual(result);
        ArrayPool<byte>.Shared.Return(array);
        return same;
    }

    /// <summary>As much as fits, and how much that was is known.</summary>
    public static async Task AtLeastAsync(Stream from, Stream to)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(65536);
        Memory<byte> memory = array.AsMemory();
        int read;
        while ((read = await from.ReadAtLeastAsync(memory, memory.Length, throwOnEndOfStream: false)) > 0)
        {
            await to.WriteAsync(memory[..read]);
        }

        ArrayPool<byte>.Shared.Return(array);
    }

    /// <summary>What is too much is cut off at once.</summary>
    public static System.Collections.BitArray Bits(Stream stream, int bits)
    {
        int count = (bits + 7) / 8;
        byte[] array = ArrayPool<byte>.Shared.Rent(count);
        stream.ReadExactly(array, 0, count);
        System.Collections.BitArray result = new(array) { Length = bits };
        ArrayPool<byte>.Shared.Return(array);
        return result;
    }

    /// <summary>A native function ends its text by a zero.</summary>
    public static string Terminated(Action<char[]> native)
    {
        char[] array = ArrayPool<char>.Shared.Rent(1000);
        native(array);
        int end = Array.IndexOf(array, '\0');
        string text = end < 0 ? new string(array) : new string(array, 0, end);
        ArrayPool<char>.Shared.Return(array);
        return text;
    }

    public static string Trimmed(Action<char[]> native)
    {
        char[] array = ArrayPool<char>.Shared.Rent(1000);
        Array.Clear(array);
        native(array);
        string text = new string(array).TrimEnd('\0');
        ArrayPool<char>.Shared.Return(array);
        return text;
    }

    public static void Lists(Socket socket, int n)
    {
        ArraySegment<byte> segment = new(ArrayPool<byte>.Shared.Rent(n));
        int read = socket.Receive(segment);
        socket.Send(segment[..read]);
        ArrayPool<byte>.Shared.Return(segment.Array!);
    }

    /// <summary>The pool's own length is the buffer's size from then on.</summary>
    public void Adopt(Stream stream, int n)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(n);
        _count = array.Length;
        Random.Shared.NextBytes(array);
        stream.Write(array, 0, array.Length);
        ArrayPool<byte>.Shared.Return(array);
    }

    public static string Limited(int[] source)
    {
        int[] array = ArrayPool<int>.Shared.Rent(source.Length);
        source.CopyTo(array, 0);
        string text = string.Join(',', array.Take(source.Length)) + string.Concat(array.Select(static item => item).Take(source.Length));
        foreach (ref int item in array.AsSpan())
        {
            item = 0;
        }

        foreach (int item in array)
        {
            if (item == 0)
            {
                break;
            }
        }

        ArrayPool<int>.Shared.Return(array);
        return text + string.Format("{0}", array.Length);
    }

    /// <summary>As much as fits is read, until there is no more.</summary>
    public static int ReadToEnd(Stream stream, int n)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(n);
        int done = 0;
        int read;
        while ((read = stream.Read(array, done, array.Length - done)) > 0)
        {
            done += read;
        }

        while (done < 5)
        {
            done += stream.Read(array, done, array.Length - done);
        }

        ArrayPool<byte>.Shared.Return(array);
        return done;
    }
}
