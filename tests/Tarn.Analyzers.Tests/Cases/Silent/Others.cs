using System;
using System.Buffers;
using System.Collections;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Tarn;

/// <summary>Correct ways to write awaits, usings, lambdas and calls: the analyzers say nothing.</summary>
internal sealed class Others : IDisposable
{
    private readonly Queue<byte[]> _spare = new();
    private byte[]? _array = ArrayPool<byte>.Shared.Rent(16);
    private IMemoryOwner<byte>? _owner;

    internal static async Task AwaitedWrite(Stream target, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        await target.WriteAsync(buffer.AsMemory(0, length)).ConfigureAwait(false);
        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static async Task AwaitedLater(Stream target, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        Task writing = target.WriteAsync(buffer, 0, length);
        await Task.Yield();
        await writing;
        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static async Task AllAwaited(Stream first, Stream second, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        await Task.WhenAll(first.WriteAsync(buffer, 0, length), second.WriteAsync(buffer, 0, length));
        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static async ValueTask<int> ReadToEnd(Stream source, CancellationToken cancellation)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(64);
        try
        {
            int total = 0;
            for (int read; (read = await source.ReadAsync(buffer.AsMemory(0, 64), cancellation)) > 0;)
            {
                total += read;
            }

            return total;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    internal static async IAsyncEnumerable<int> Streamed(Stream source)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(64);
        try
        {
            while (await source.ReadAsync(buffer.AsMemory(0, 64)) is > 0 and var read)
            {
                yield return read;
            }
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    internal static void Waited(Stream target, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        target.WriteAsync(buffer, 0, length).GetAwaiter().GetResult();
        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static Task ReturnedWhenDone(Stream target, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        return target.WriteAsync(buffer, 0, length)
            .ContinueWith(_ => ArrayPool<byte>.Shared.Return(buffer), TaskScheduler.Default);
    }

    internal static int UsingDeclaration(int length)
    {
        using IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(length);
        return owner.Memory.Span[0];
    }

    internal static int UsingStatement(int length)
    {
        using (IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(length))
        {
            return owner.Memory.Span[0];
        }
    }

    internal static int UsingOfAVariable(int length)
    {
        IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(length);
        using (owner)
        {
            return owner.Memory.Span[0];
        }
    }

    internal static int DisposedTwice(int length)
    {
        using IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(length);
        int first = owner.Memory.Span[0];
        owner.Dispose();
        return first;
    }

    internal static int Leased(int length)
    {
        using BufferLease<byte> lease = BufferPool<byte>.Shared.Lease(length);
        return lease.Span[0];
    }

    internal static IMemoryOwner<byte> HandedOver(int length)
    {
        IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(length);
        try
        {
            owner.Memory.Span[0] = 1;
            return owner;
        }
        catch
        {
            owner.Dispose();
            throw;
        }
    }

    internal static int InLambda(int length)
    {
        Func<int> first = () =>
        {
            byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
            int read = buffer[0];
            ArrayPool<byte>.Shared.Return(buffer);
            return read;
        };
        return first();
    }

    internal static int CapturedAndRun(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        int sum = Enumerable.Range(0, length).Sum(i => buffer[i]);
        ArrayPool<byte>.Shared.Return(buffer);
        return sum;
    }

    internal static int InLocalFunction(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        int first = First();
        ArrayPool<byte>.Shared.Return(buffer);
        return first;
        int First() => buffer[0];
    }

    internal static string Created(int length)
    {
        char[] buffer = ArrayPool<char>.Shared.Rent(length);
        buffer.AsSpan(0, length).Fill('a');
        string text = new(buffer, 0, length);
        ArrayPool<char>.Shared.Return(buffer);
        return text;
    }

    internal static string Decoded(Stream source, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        source.ReadExactly(buffer.AsSpan(0, length));
        string text = Encoding.UTF8.GetString(buffer.AsSpan(0, length));
        ArrayPool<byte>.Shared.Return(buffer);
        return text;
    }

    internal static byte[] Copied(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        byte[] copy = buffer[..length];
        ArrayPool<byte>.Shared.Return(buffer);
        return copy;
    }

    internal static BitArray CutAfterwards(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        BitArray bits = new(buffer) { Length = length * 8 };
        ArrayPool<byte>.Shared.Return(buffer);
        return bits;
    }

    internal static void References(int length)
    {
        object?[] buffer = ArrayPool<object?>.Shared.Rent(length);
        buffer[0] = new object();
        ArrayPool<object?>.Shared.Return(buffer, clearArray: true);
    }

    internal static void OfItsPool(ArrayPool<byte> pool, int length)
    {
        byte[] buffer = pool.Rent(length);
        buffer[0] = 1;
        pool.Return(buffer);
    }

    internal static void Segment(Stream target, int length)
    {
        ArraySegment<byte> segment = new(ArrayPool<byte>.Shared.Rent(length), 0, length);
        target.Write(segment);
        ArrayPool<byte>.Shared.Return(segment.Array!);
    }

    internal static void PooledArrays(int count)
    {
        byte[][] all = ArrayPool<byte[]>.Shared.Rent(count);
        for (int i = 0; i < count; i++)
        {
            all[i] = ArrayPool<byte>.Shared.Rent(16);
        }

        for (int i = 0; i < count; i++)
        {
            ArrayPool<byte>.Shared.Return(all[i]);
        }

        ArrayPool<byte[]>.Shared.Return(all, clearArray: true);
    }

    internal byte[] TakeSpare(int length) => _spare.TryDequeue(out byte[]? spare) ? spare : ArrayPool<byte>.Shared.Rent(length);

    internal void GiveSpare(byte[] array)
    {
        if (_spare.Count < 4)
        {
            _spare.Enqueue(array);
        }
        else
        {
            ArrayPool<byte>.Shared.Return(array);
        }
    }

    internal void Replace(int length)
    {
        IMemoryOwner<byte> next = MemoryPool<byte>.Shared.Rent(length);
        _owner?.Dispose();
        _owner = next;
    }

    internal void WithHelper(Stream target, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        Fill(buffer, length);
        Send(target, buffer, length);
        GiveSpare(buffer);
    }

    internal static void ThrowHelper(Stream target, int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        if (!target.CanWrite)
        {
            ArrayPool<byte>.Shared.Return(buffer);
            ThrowNotWritable();
        }

        target.Write(buffer, 0, length);
        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static int Nullable(int length)
    {
        byte[]? buffer = length == 0 ? null : ArrayPool<byte>.Shared.Rent(length);
        int first = buffer?[0] ?? 0;
        Recycle(buffer);
        return first;
    }

    internal static bool Probed(Stream source)
    {
        byte[] head = ArrayPool<byte>.Shared.Rent(4);
        try
        {
            return source.ReadAtLeast(head.AsSpan(0, 4), 4, throwOnEndOfStream: false) == 4 && head.AsSpan(0, 4).SequenceEqual("TARN"u8);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(head);
        }
    }

    internal static void Locked(object gate, int length)
    {
        byte[] buffer;
        lock (gate)
        {
            buffer = ArrayPool<byte>.Shared.Rent(length);
        }

        buffer[0] = 1;
        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static string Interned(int length) => string.Create(length, length, static (span, count) =>
    {
        char[] buffer = ArrayPool<char>.Shared.Rent(count);
        buffer.AsSpan(0, count).CopyTo(span);
        ArrayPool<char>.Shared.Return(buffer);
    });

    public void Dispose()
    {
        byte[]? array = Interlocked.Exchange(ref _array, null);
        if (array is not null)
        {
            ArrayPool<byte>.Shared.Return(array);
        }

        _owner?.Dispose();
        while (_spare.TryDequeue(out byte[]? spare))
        {
            ArrayPool<byte>.Shared.Return(spare);
        }
    }

    private static void Fill(byte[] buffer, int length) => buffer.AsSpan(0, length).Fill(1);

    private static void Send(Stream target, byte[] buffer, int count) => target.Write(buffer, 0, count);

    private static void ThrowNotWritable() => throw new NotSupportedException("The stream cannot be written.");

    private static void Recycle(byte[]? buffer)
    {
        if (buffer is null)
        {
            return;
        }

        ArrayPool<byte>.Shared.Return(buffer);
    }
}
