using System;
using System.Buffers;
using System.IO;
using System.Threading.Tasks;
using Tarn;
using Tarn.Native;

/// <summary>Typed native buffers, and leases whose bytes a budget grants.</summary>
internal static class TypedAndBudgeted
{
    internal static float Lost(int length)
    {
        NativeBuffer<float> buffer = NativeHeap.Shared.AllocateBuffer<float>(length); // expect TARN011
        return buffer.Span[0];
    }

    internal static long LostZeroed(int length)
    {
        NativeBuffer<byte> buffer = NativeHeap.Shared.AllocateBuffer<byte>(length, new() { Zeroed = true }); // expect TARN011
        return buffer.Length;
    }

    internal static float UsedAfter(int length)
    {
        NativeBuffer<float> buffer = NativeHeap.Shared.AllocateBuffer<float>(length, new() { Alignment = 4096 });
        buffer.Dispose();
        return buffer.Span[0]; // expect TARN002
    }

    internal static Memory<float> Outlived(int length)
    {
        using NativeBuffer<float> buffer = NativeHeap.Shared.AllocateBuffer<float>(length);
        return buffer.Memory; // expect TARN003
    }

    internal static unsafe float Right(NativeHeap heap, int length)
    {
        using NativeBuffer<float> buffer = heap.AllocateBuffer<float>(length, new() { Zeroed = true });
        using MemoryHandle pin = buffer.Pin();
        bool isLonger = buffer.TryResize(2 * length);
        buffer.Span.Fill(isLonger ? 1 : 2);
        buffer.Dispose();
        buffer.Dispose();
        return *(float*)pin.Pointer;
    }

    internal static NativeBuffer<float> HandedOut(int length)
    {
        NativeBuffer<float> buffer = NativeHeap.Shared.AllocateBuffer<float>(length);
        buffer.Span.Clear();
        return buffer;
    }

    internal static int BudgetLost(BufferBudget budget)
    {
        IMemoryOwner<byte> lease = budget.LeaseMemory(BufferPool<byte>.Shared, 10); // expect TARN011
        return lease.Memory.Span[0];
    }

    internal static int TriedAndLost(BufferBudget budget)
    {
        IMemoryOwner<byte>? lease = budget.TryLeaseMemory(BufferPool<byte>.Shared, 10); // expect TARN011
        return lease is null ? 0 : lease.Memory.Span[0];
    }

    internal static async Task<int> WaitedAndLostAsync(BufferBudget budget)
    {
        IMemoryOwner<byte> lease = await budget.LeaseMemoryAsync(BufferPool<byte>.Shared, 10); // expect TARN011
        return lease.Memory.Span[0];
    }

    internal static int BudgetUsedAfter(BufferBudget budget)
    {
        IMemoryOwner<byte> lease = budget.LeaseMemory(BufferPool<byte>.Shared, 10);
        lease.Dispose();
        return lease.Memory.Span[0]; // expect TARN002
    }

    internal static int Tried(BufferBudget budget)
    {
        using IMemoryOwner<byte>? lease = budget.TryLeaseMemory(BufferPool<byte>.Shared, 10);
        return lease is null ? 0 : lease.Memory.Span[0];
    }

    internal static int TriedOnOnePath(BufferBudget budget)
    {
        IMemoryOwner<byte>? lease = budget.TryLeaseMemory(BufferPool<byte>.Shared, 10);
        if (lease is null)
        {
            return 0;
        }

        int first = lease.Memory.Span[0];
        lease.Dispose();
        return first;
    }

    internal static async Task<int> WaitedAsync(BufferBudget budget, Stream source)
    {
        using IMemoryOwner<byte> lease = await budget.LeaseMemoryAsync(BufferPool<byte>.Shared, 10, TimeSpan.FromSeconds(1));
        return await source.ReadAsync(lease.Memory);
    }

    internal static async Task<int> ConfiguredAsync(BufferBudget budget, Stream source)
    {
        IMemoryOwner<byte> lease = await budget.LeaseMemoryAsync(BufferPool<byte>.Shared, 10).ConfigureAwait(false);
        try
        {
            return await source.ReadAsync(lease.Memory).ConfigureAwait(false);
        }
        finally
        {
            lease.Dispose();
        }
    }
}
