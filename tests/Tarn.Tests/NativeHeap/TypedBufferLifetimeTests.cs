using System.Buffers;
using System.Runtime.CompilerServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

/// <summary>The end of a <see cref="NativeBuffer{T}"/>, and what may happen while it is resized.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed unsafe class TypedBufferLifetimeTests : IDisposable
{
    private readonly NativeHeap _heap = new(
        new NativeHeapOptions { Name = $"typed lifetime {Guid.NewGuid()}", Checks = BufferChecks.Leaks });

    private readonly IncidentLog _incidents;

    public TypedBufferLifetimeTests() => _incidents = new IncidentLog(_heap.Name);

    private static int Rounds => StressLength.IsLong ? 3000 : 200;

    private long BlocksInUse => _heap.GetStatistics().InUseBlocks;

    public void Dispose()
    {
        _incidents.Dispose();
        _heap.Dispose();
    }

    [Fact]
    public void Forgotten_it_is_freed_and_reported_with_its_size_in_bytes_and_the_stack_that_rented_it()
    {
        Forget(_heap);

        Eventually.TrueAfterCollections(() => _incidents.Count > 0, "the leak is reported");

        BufferIncident leak = _incidents.WaitForOne();
        Assert.Equal((BufferIncidentKind.Leak, 100L * sizeof(decimal)), (leak.Kind, leak.SizeInBytes));
        Assert.Contains(nameof(Forget), leak.RentedAt, StringComparison.Ordinal);
        Assert.DoesNotContain("Tarn.Native.NativeHeap.", leak.RentedAt, StringComparison.Ordinal);
        Eventually.True(() => BlocksInUse == 0, "the forgotten buffer is freed");
    }

    [Theory]
    [InlineData("memory")]
    [LongInlineData("read-only memory")]
    [InlineData("pin")]
    public void A_view_keeps_it_until_the_view_is_forgotten_too(string view)
    {
        KeepWhileCollecting(view);

        Eventually.TrueAfterCollections(() => _incidents.Count > 0, "the leak is reported");

        _incidents.WaitForOne();
    }

    [Fact]
    public void Disposed_buffers_are_not_reported()
    {
        for (int i = 0; i < 50; i++)
        {
            RentAndDispose(_heap, i);
        }

        Eventually.Collect();
        _incidents.AssertNone();
        Assert.Equal(0, BlocksInUse);
    }

    [Fact]
    public void Pinned_it_is_neither_resized_nor_freed()
    {
        NativeBuffer<int> buffer = _heap.AllocateBuffer<int>(100);
        MemoryHandle pin = buffer.Memory[3..].Pin();
        Assert.False(buffer.TryResize(1000));
        Assert.Equal((100L, (nint)(buffer.Pointer + 3)), (buffer.Length, (nint)pin.Pointer));

        buffer.Dispose();
        Assert.Equal(1, BlocksInUse);
        Assert.Throws<ObjectDisposedException>(() => buffer.TryResize(10));
        *(int*)pin.Pointer = 1;
        pin.Dispose();
        Assert.Equal(0, BlocksInUse);

        using NativeBuffer<int> other = _heap.AllocateBuffer<int>(100);
        other.Pin().Dispose();
        Assert.True(other.TryResize(1000));
    }

    [Fact]
    public void An_unpin_without_a_pin_is_refused()
    {
        using NativeBuffer<int> buffer = _heap.AllocateBuffer<int>(100);
        Assert.Throws<InvalidOperationException>(buffer.Unpin);
        Assert.Equal(100, buffer.Length);
    }

    [Fact]
    public void The_holder_of_a_pin_keeps_its_elements_while_others_resize_and_dispose()
    {
        int pins = 0;
        int resizes = 0;
        for (int round = 0; round < Rounds; round++)
        {
            NativeBuffer<long> buffer = _heap.AllocateBuffer<long>(16);
            using Barrier together = new(3);
            int failures = 0;
            Thread resizing = new(() =>
            {
                together.SignalAndWait();
                ResizeUntilDisposed(buffer, ref resizes);
            });
            Thread pinning = new(() =>
            {
                together.SignalAndWait();
                Interlocked.Add(ref failures, PinUntilDisposed(buffer, ref pins) ? 0 : 1);
            });
            resizing.Start();
            pinning.Start();
            together.SignalAndWait();
            SpinWait.SpinUntil(() => failures > 0 || (Volatile.Read(ref pins) > round && Volatile.Read(ref resizes) > round));
            Thread.SpinWait(round * 10);
            buffer.Dispose();
            resizing.Join();
            pinning.Join();
            Assert.Equal((0, 0), (failures, BlocksInUse));
        }

        _incidents.AssertNone();
    }

    private static void ResizeUntilDisposed(NativeBuffer<long> buffer, ref int resizes)
    {
        for (int length = 16; ; length = length == 16 ? 3000 : 16)
        {
            try
            {
                Volatile.Write(ref resizes, resizes + (buffer.TryResize(length) ? 1 : 0));
            }
            catch (ObjectDisposedException)
            {
                return;
            }
        }
    }

    /// <summary>False when an element that only this thread writes was changed while it was pinned.</summary>
    private static bool PinUntilDisposed(NativeBuffer<long> buffer, ref int pins)
    {
        for (long stamp = 1; ; stamp++)
        {
            MemoryHandle handle;
            try
            {
                handle = buffer.Pin(5);
            }
            catch (ObjectDisposedException)
            {
                return true;
            }

            long* at = (long*)handle.Pointer;
            Volatile.Write(ref *at, stamp);
            Thread.SpinWait(20);
            bool isOwn = Volatile.Read(ref *at) == stamp;
            handle.Dispose();
            Volatile.Write(ref pins, pins + 1);
            if (!isOwn)
            {
                return false;
            }
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Forget(NativeHeap heap) => heap.AllocateBuffer<decimal>(100).Span.Fill(1);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void RentAndDispose(NativeHeap heap, int length)
    {
        using NativeBuffer<int> buffer = heap.AllocateBuffer<int>(length);
        using MemoryHandle pin = buffer.Pin();
        buffer.Dispose();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void KeepWhileCollecting(string view)
    {
        object kept = Keep(view);
        for (int i = 0; i < 3; i++)
        {
            Eventually.Collect();
        }

        _incidents.AssertNone();
        Assert.Equal(1, BlocksInUse);
        Assert.Equal(9, FirstElement(kept));
    }

    private static long FirstElement(object view) => view switch
    {
        Memory<long> memory => memory.Span[0],
        ReadOnlyMemory<long> memory => memory.Span[0],
        _ => *(long*)((MemoryHandle)view).Pointer,
    };

    [MethodImpl(MethodImplOptions.NoInlining)]
    private object Keep(string view)
    {
        NativeBuffer<long> buffer = _heap.AllocateBuffer<long>(30);
        buffer.Span.Fill(9);
        return view switch
        {
            "memory" => buffer.Memory[10..],
            "read-only memory" => (ReadOnlyMemory<long>)buffer.Memory,
            _ => buffer.Pin(),
        };
    }
}
