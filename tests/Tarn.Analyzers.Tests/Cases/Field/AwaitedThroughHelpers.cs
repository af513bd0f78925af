using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.Runtime.CompilerServices;
using System.Threading.Tasks;

// A task that a helper was given may have been waited for, or awaited in what the helper made of it.
internal static class AwaitedThroughHelpers
{
    internal static async Task ConfiguredByHelperAsync(Stream stream, int count)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(count);
        await stream.WriteAsync(buffer, 0, count).ForAwait();
        await stream.WriteAsync(buffer.AsMemory(0, count)).ForAwait();
        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static void WaitedByHelper(Stream stream, int count)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(count);
        stream.WriteAsync(buffer, 0, count).Finish();
        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static void WaitedForAll(Stream first, Stream second, int count)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(count);
        Task one = first.WriteAsync(buffer, 0, count);
        Task two = second.WriteAsync(buffer, 0, count);
        Task.WaitAll(one, two);
        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static async Task AwaitedAllAsync(Stream first, Stream second, int count)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(count);
        Task one = first.WriteAsync(buffer, 0, count);
        Task two = second.WriteAsync(buffer, 0, count);
        await Task.WhenAll(one, two);
        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static async Task AwaitedAllOfCollectionAsync(Stream first, Stream second, int count)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(count);
        await Task.WhenAll([first.WriteAsync(buffer, 0, count), second.WriteAsync(buffer, 0, count)]);
        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static ValueTask DoneAlready(Stream stream, int count)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(count);
        ValueTask task = stream.WriteAsync(buffer.AsMemory(0, count));
        if (task.IsCompletedSuccessfully)
        {
            ArrayPool<byte>.Shared.Return(buffer);
            return default;
        }

        return LaterAsync(task, buffer);
    }

    internal static int ResultTaken(Stream stream, int count)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(count);
        Task<int> task = stream.ReadAsync(buffer, 0, count);
        int read = task.Result;
        ArrayPool<byte>.Shared.Return(buffer);
        return read;
    }

    internal static async Task NotAwaitedAsync(Stream stream, int count)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(count);
        ConfiguredTaskAwaitable task = stream.WriteAsync(buffer, 0, count).ForAwait();
        ArrayPool<byte>.Shared.Return(buffer); // expect TARN006
        await task;
    }

    internal static async Task NoneAwaitedAsync(Stream first, Stream second, int count)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(count);
        Task all = Task.WhenAll(first.WriteAsync(buffer, 0, count), second.WriteAsync(buffer, 0, count));
        ArrayPool<byte>.Shared.Return(buffer); // expect TARN006
        await all;
    }

    internal static ValueTask Wrapped(Stream stream, int count)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(count);
        try
        {
            return new ValueTask(stream.WriteAsync(buffer, 0, count)); // expect TARN006
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    internal static async Task GatheredAsync(IReadOnlyList<Stream> streams, int count)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(count);
        List<Task> tasks = [];
        foreach (Stream stream in streams)
        {
            tasks.Add(stream.WriteAsync(buffer, 0, count));
        }

        await Task.WhenAll(tasks);
        ArrayPool<byte>.Shared.Return(buffer);
    }

    private static async ValueTask LaterAsync(ValueTask task, byte[] buffer)
    {
        await task;
        ArrayPool<byte>.Shared.Return(buffer);
    }

    private static ConfiguredTaskAwaitable ForAwait(this Task task) => task.ConfigureAwait(false);

    private static ConfiguredValueTaskAwaitable ForAwait(this ValueTask task) => task.ConfigureAwait(false);

    private static void Finish(this Task task) => task.GetAwaiter().GetResult();
}
