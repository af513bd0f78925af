using System;
using System.Buffers;
using System.IO;
using System.Threading.Tasks;
using Tarn;

/// <summary>Owners and arrays that a task hands out: awaited and never given back, or never taken from the task.</summary>
internal static class Awaited
{
    internal static async Task<int> OwnerNeverDisposed(int length)
    {
        IMemoryOwner<byte> owner = await RentOwnerAsync(length); // expect TARN011
        return owner.Memory.Length;
    }

    internal static async Task<int> OwnerOfValueTask(int length)
    {
        IMemoryOwner<byte> owner = await RentQuicklyAsync(length).ConfigureAwait(false); // expect TARN011
        return owner.Memory.Length;
    }

    internal static void TaskDiscarded(int length)
    {
        _ = RentOwnerAsync(length); // expect TARN011
    }

    internal static void TaskDropped(int length)
    {
        RentOwnerAsync(length); // expect TARN011
    }

    internal static async Task ResultDropped(int length)
    {
        await RentOwnerAsync(length); // expect TARN011
    }

    internal static async Task ResultDiscarded(int length)
    {
        _ = await RentOwnerAsync(length).ConfigureAwait(false); // expect TARN011
    }

    internal static void ArrayTaskDropped(int length)
    {
        _ = TakeAsync(length); // expect TARN011
    }

    internal static void OwnerDropped(int length)
    {
        MemoryPool<byte>.Shared.Rent(length); // expect TARN011
    }

    internal static void OwnerDiscarded(int length)
    {
        _ = MemoryPool<byte>.Shared.Rent(length); // expect TARN011
    }

    internal static async Task Marked(IFrames frames, int length)
    {
        IMemoryOwner<byte> owner = await frames.NextAsync(length); // expect TARN011
        Console.WriteLine(owner.Memory.Length);
    }

    internal static void MarkedTaskDropped(IFrames frames, int length)
    {
        _ = frames.NextAsync(length); // expect TARN011
    }

    internal static async Task MarkedArray(IFrames frames, int length)
    {
        byte[] buffer = await frames.NextArrayAsync(length); // expect TARN011
        Console.WriteLine(buffer.Length);
    }

    internal static async Task LeaseNeverDisposed(int length)
    {
        await Task.Yield();
        BufferLease<byte> lease = BufferPool<byte>.Shared.Lease(length); // expect TARN011
        Console.WriteLine(lease.Length);
    }

    internal static async Task<int> OwnerDisposed(int length)
    {
        IMemoryOwner<byte> owner = await RentOwnerAsync(length);
        int result = owner.Memory.Length;
        owner.Dispose();
        return result;
    }

    internal static async Task<int> OwnerInUsing(int length)
    {
        using IMemoryOwner<byte> owner = await RentOwnerAsync(length).ConfigureAwait(false);
        return owner.Memory.Length;
    }

    internal static async Task<int> MarkedInUsing(IFrames frames, int length)
    {
        using IMemoryOwner<byte> owner = await frames.NextAsync(length);
        return owner.Memory.Length;
    }

    internal static async Task MarkedArrayReturned(IFrames frames, int length)
    {
        byte[] buffer = await frames.NextArrayAsync(length);
        Console.WriteLine(buffer.Length);
        ArrayPool<byte>.Shared.Return(buffer);
    }

    internal static async Task<int> TaskKeptFirst(int length)
    {
        Task<IMemoryOwner<byte>> task = RentOwnerAsync(length);
        using IMemoryOwner<byte> owner = await task;
        return owner.Memory.Length;
    }

    internal static Task<IMemoryOwner<byte>> TaskPassedOn(int length) => RentOwnerAsync(length);

    internal static Task<IMemoryOwner<byte>> MarkedPassedOn(IFrames frames, int length) => frames.NextAsync(length);

    internal static async Task<IMemoryOwner<byte>> ResultPassedOn(int length) => await RentOwnerAsync(length);

    internal static Task TaskContinued(int length) =>
        RentOwnerAsync(length).ContinueWith(static task => task.Result.Dispose(), TaskScheduler.Default);

    internal static async Task DisposedAtOnce(int length) => (await RentOwnerAsync(length)).Dispose();

    internal static void Waited(int length)
    {
        RentOwnerAsync(length).GetAwaiter().GetResult().Dispose();
    }

    internal static async Task NotOwned(Stream stream, Memory<byte> memory)
    {
        await stream.ReadAsync(memory);
        _ = stream.ReadAsync(memory);
        _ = CachedAsync();
        await CachedAsync();
    }

    private static async Task<IMemoryOwner<byte>> RentOwnerAsync(int length)
    {
        await Task.Yield();
        return MemoryPool<byte>.Shared.Rent(length);
    }

    private static async ValueTask<IMemoryOwner<byte>> RentQuicklyAsync(int length)
    {
        await Task.Yield();
        return MemoryPool<byte>.Shared.Rent(length);
    }

    private static async Task<byte[]> TakeAsync(int length)
    {
        await Task.Yield();
        return ArrayPool<byte>.Shared.Rent(length);
    }

    private static IMemoryOwner<byte>? s_cached;

    private static async Task<IMemoryOwner<byte>> CachedAsync()
    {
        await Task.Yield();
        return s_cached ??= MemoryPool<byte>.Shared.Rent(100);
    }

    internal interface IFrames
    {
        [return: Rented]
        Task<IMemoryOwner<byte>> NextAsync(int length);

        [return: Rented]
        Task<byte[]> NextArrayAsync(int length);
    }
}
