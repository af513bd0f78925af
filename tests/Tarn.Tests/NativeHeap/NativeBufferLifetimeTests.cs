using System.Buffers;
using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

public sealed unsafe class NativeBufferLifetimeTests : IDisposable
{
    private const int Size = 48;

    /// <summary>An offset beyond the bytes that an allocator might write at a block's beginning.</summary>
    private const int FirstOwn = 32;

    private readonly NativeHeap _heap = new(new NativeHeapOptions { Checks = BufferChecks.None });

    private long BlocksInUse => _heap.GetStatistics().InUseBlocks;

    public void Dispose() => _heap.Dispose();

    [Fact]
    public void Its_block_is_freed_by_the_first_dispose_however_it_is_called()
    {
        NativeBuffer<byte> first = _heap.AllocateBuffer<byte>(100);
        IMemoryOwner<byte> second = _heap.AllocateBuffer<byte>(100);
        using (NativeBuffer<byte> third = _heap.AllocateBuffer<byte>(100))
        {
            Assert.Equal(3, BlocksInUse);
        }

        Assert.Equal(2, BlocksInUse);
        first.Dispose();
        first.Dispose();
        Assert.Equal(1, BlocksInUse);
        second.Dispose();
        second.Dispose();
        Worker.RunOnce(first.Dispose);
        Assert.Equal(0, BlocksInUse);
    }

    [Fact]
    public void Disposed_while_pinned_it_refuses_new_calls_and_the_last_unpin_frees_it()
    {
        NativeBuffer<byte> buffer = _heap.AllocateBuffer<byte>(100);
        MemoryHandle first = buffer.Memory.Pin();
        MemoryHandle second = buffer.Memory[50..].Pin();
        Assert.Equal((nint)first.Pointer + 50, (nint)second.Pointer);

        buffer.Dispose();
        Assert.Equal(1, BlocksInUse);
        Assert.Throws<ObjectDisposedException>(() => buffer.Pin());
        Assert.Throws<ObjectDisposedException>(() => buffer.Memory);
        new Span<byte>(first.Pointer, 100).Fill(5);

        first.Dispose();
        first.Dispose();
        Assert.Equal(1, BlocksInUse);
        Assert.Equal(5, *(byte*)second.Pointer);
        second.Dispose();
        Assert.Equal(0, BlocksInUse);
        buffer.Dispose();
        Assert.Equal(0, BlocksInUse);
    }

    [Fact]
    public void A_pin_of_a_window_keeps_the_whole_block()
    {
        NativeBuffer<byte> buffer = _heap.AllocateBuffer<byte>(100);
        MemoryManager<byte> window = new NativeBufferWindow<byte>(buffer, 10, 20);
        MemoryHandle handle = window.Memory.Pin();
        window.Pin();
        buffer.Dispose();
        handle.Dispose();
        Assert.Equal(1, BlocksInUse);
        window.Unpin();
        Assert.Equal(0, BlocksInUse);
    }

    [Fact]
    public void Pinned_and_unpinned_it_stays_rented()
    {
        using NativeBuffer<byte> buffer = _heap.AllocateBuffer<byte>(100);
        buffer.Pin(100).Dispose();
        using (MemoryHandle handle = buffer.Pin(3))
        {
            *(byte*)handle.Pointer = 42;
        }

        Assert.Equal(42, buffer.GetSpan()[3]);
        Assert.Equal(1, BlocksInUse);
    }

    [Fact]
    public void A_pin_outside_the_buffer_is_refused()
    {
        using NativeBuffer<byte> buffer = _heap.AllocateBuffer<byte>(100);
        Assert.Equal("elementIndex", Assert.Throws<ArgumentOutOfRangeException>(() => buffer.Pin(101)).ParamName);
        Assert.Equal("elementIndex", Assert.Throws<ArgumentOutOfRangeException>(() => buffer.Pin(-1)).ParamName);
        buffer.Dispose();
        Assert.Equal(0, BlocksInUse);
    }

    [Fact]
    public void An_unpin_without_a_pin_is_refused_and_frees_nothing()
    {
        NativeBuffer<byte> buffer = _heap.AllocateBuffer<byte>(100);
        Assert.Throws<InvalidOperationException>(buffer.Unpin);
        MemoryHandle handle = buffer.Pin();
        buffer.Unpin();
        Assert.Throws<InvalidOperationException>(handle.Dispose);
        Assert.Equal(100, buffer.Length);
        Assert.Equal(1, BlocksInUse);
        buffer.Dispose();
        Assert.Throws<InvalidOperationException>(buffer.Unpin);
        Assert.Equal(0, BlocksInUse);
    }

    [Fact]
    public void Of_threads_that_dispose_at_once_one_frees_the_block()
    {
        for (int round = 0; round < 200; round++)
        {
            NativeBuffer<byte> buffer = _heap.AllocateBuffer<byte>(100);
            Parallel.For(0, 8, new ParallelOptions { MaxDegreeOfParallelism = 8 }, _ => buffer.Dispose());
        }

        Assert.Equal(0, BlocksInUse);
    }

    [Fact]
    public void The_holder_of_a_pin_has_the_block_to_itself_while_others_pin_dispose_and_rent()
    {
        int pins = 0;
        for (int round = 0; round < StressLength.Times(60, 300); round++)
        {
            int before = pins;
            NativeBuffer<byte> buffer = _heap.AllocateBuffer<byte>(Size, new() { Zeroed = true });
            using Barrier together = new(4);
            Thread[] pinning = new Thread[3];
            int failures = 0;
            for (int i = 0; i < pinning.Length; i++)
            {
                int own = i;
                pinning[i] = new Thread(() =>
                {
                    together.SignalAndWait();
                    bool isOwn = PinUntilDisposed(buffer, own, ref pins);
                    TakeAndOverwrite();
                    Interlocked.Add(ref failures, isOwn ? 0 : 1);
                });
                pinning[i].Start();
            }

            together.SignalAndWait();
            if (round % 2 == 0)
            {
                Eventually.True(() => Volatile.Read(ref pins) != before, "a thread pins the buffer");
            }

            Thread.SpinWait(round * 10);
            buffer.Dispose();
            TakeAndOverwrite();

            Array.ForEach(pinning, static thread => thread.Join());
            Assert.Equal((0, 0), (failures, BlocksInUse));
        }
    }

    /// <summary>
    /// A thread first gets the block it freed most recently: the buffer's block, if that was freed. A pin would then see these bytes.
    /// </summary>
    private void TakeAndOverwrite()
    {
        using NativeBuffer<byte> next = _heap.AllocateBuffer<byte>(Size);
        next.GetSpan().Fill(0xEE);
    }

    /// <summary>False when a byte that only this thread writes was changed.</summary>
    private static bool PinUntilDisposed(NativeBuffer<byte> buffer, int own, ref int pins)
    {
        for (byte stamp = 1; ; stamp = (byte)((stamp % 100) + 1))
        {
            MemoryHandle handle;
            try
            {
                handle = buffer.Pin(FirstOwn + own);
            }
            catch (ObjectDisposedException)
            {
                return true;
            }

            // Held much longer than not, so that most disposals meet a pin.
            byte* at = (byte*)handle.Pointer;
            Volatile.Write(ref *at, stamp);
            Thread.SpinWait(stamp * 10);
            bool isOwn = Volatile.Read(ref *at) == stamp;
            handle.Dispose();
            Interlocked.Increment(ref pins);
            if (!isOwn)
            {
                return false;
            }
        }
    }
}
