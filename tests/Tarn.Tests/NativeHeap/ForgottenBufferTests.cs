using System.Buffers;
using System.Runtime.CompilerServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class ForgottenBufferTests : IDisposable
{
    private readonly NativeHeap _plain = Create($"plain {Guid.NewGuid()}", BufferChecks.None);
    private readonly NativeHeap _tracking = Create($"tracking {Guid.NewGuid()}", BufferChecks.Leaks);
    private readonly IncidentLog _ofPlain;
    private readonly IncidentLog _ofTracking;

    public ForgottenBufferTests()
    {
        _ofPlain = new IncidentLog(_plain.Name);
        _ofTracking = new IncidentLog(_tracking.Name);
    }

    public void Dispose()
    {
        _ofPlain.Dispose();
        _ofTracking.Dispose();
        _plain.Dispose();
        _tracking.Dispose();
    }

    [Fact]
    public void It_is_freed_and_nothing_is_reported_without_checks()
    {
        for (int i = 0; i < 100; i++)
        {
            Forget(_plain, i);
        }

        Eventually.TrueAfterCollections(() => _plain.GetStatistics().InUseBlocks == 0, "forgotten buffers are freed");

        _ofPlain.AssertNone();
    }

    [Fact]
    public void It_is_freed_and_reported_with_the_stack_that_rented_it_when_leaks_are_looked_for()
    {
        Forget(_tracking, 1000);

        Eventually.TrueAfterCollections(() => _ofTracking.Count > 0, "the leak is reported");

        BufferIncident leak = _ofTracking.WaitForOne();
        Assert.Equal((BufferIncidentKind.Leak, 1000L), (leak.Kind, leak.SizeInBytes));
        Assert.Contains(nameof(Forget), leak.RentedAt, StringComparison.Ordinal);
        Assert.DoesNotContain("Tarn.Native.NativeHeap.", leak.RentedAt, StringComparison.Ordinal);
        Assert.Null(leak.ReturnedAt);
        Eventually.True(() => _tracking.GetStatistics().InUseBlocks == 0, "the forgotten buffer is freed");
    }

    [Theory]
    [InlineData("memory")]
    [LongInlineData("window")]
    [LongInlineData("stream")]
    [LongInlineData("sequence")]
    [InlineData("pin")]
    public void A_view_keeps_it_until_the_view_is_forgotten_too(string view)
    {
        KeepWhileCollecting(view);

        Eventually.TrueAfterCollections(() => _ofTracking.Count > 0, "the leak is reported");

        _ofTracking.WaitForOne();
    }

    [Fact]
    public void Disposed_buffers_are_not_reported()
    {
        for (int i = 0; i < 50; i++)
        {
            RentAndDispose(_tracking, i);
        }

        Forget(_tracking, 7);
        Eventually.TrueAfterCollections(() => _ofTracking.Count > 0, "a real leak is reported");
        Eventually.Collect();

        Assert.Equal(7, _ofTracking.WaitForOne().SizeInBytes);
    }

    [Fact]
    public void Objects_that_a_finalizer_uses_and_disposes_are_not_freed_earlier_and_not_reported()
    {
        int seen = 0;
        for (int i = 0; i < 50; i++)
        {
            ForgetOwner(_tracking, () => Interlocked.Increment(ref seen));
        }

        Eventually.TrueAfterCollections(() => Volatile.Read(ref seen) == 50, "the finalizers find their buffers");
        Eventually.Collect();

        _ofTracking.AssertNone();
        Assert.Equal(0, _tracking.GetStatistics().InUseBlocks);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_forgotten_pin_is_reported_and_keeps_its_block(bool isDisposed)
    {
        ForgetPinned(_tracking, isDisposed);

        Eventually.TrueAfterCollections(() => _ofTracking.Count > 0, "the leak is reported");
        Eventually.Collect();

        Assert.Equal(50, _ofTracking.WaitForOne().SizeInBytes);
        Assert.Equal(1, _tracking.GetStatistics().InUseBlocks);
    }

    [Fact]
    public void One_in_128_is_reported_when_leaks_are_sampled_and_all_are_freed()
    {
        using NativeHeap heap = Create($"sampled {Guid.NewGuid()}", BufferChecks.SampledLeaks);
        using IncidentLog incidents = new(heap.Name);
        for (int i = 0; i < 128 * 5; i++)
        {
            Forget(heap, 100);
        }

        Eventually.TrueAfterCollections(() => heap.GetStatistics().InUseBlocks == 0, "forgotten buffers are freed");
        IncidentLog.WaitUntilHandled();

        Assert.Equal(5, incidents.Count);
        Assert.All(incidents.All, static leak => Assert.Contains(nameof(Forget), leak.RentedAt, StringComparison.Ordinal));
    }

    [Fact]
    public void Listeners_are_notified_on_a_thread_of_the_pool()
    {
        using IncidentThreads threads = new(_tracking.Name);
        Forget(_tracking, 10);

        Eventually.TrueAfterCollections(() => threads.Count > 0, "a listener is notified");

        Assert.True(threads.AreAllOfThePool);
    }

    [Fact]
    public void One_whose_heap_was_disposed_is_left_alone()
    {
        NativeHeap heap = Create($"gone {Guid.NewGuid()}", BufferChecks.Leaks);
        using IncidentLog incidents = new(heap.Name);
        Forget(heap, 20);
        heap.Dispose();

        Eventually.TrueAfterCollections(() => incidents.Count > 0, "the leak is reported");

        Assert.Equal(20, incidents.WaitForOne().SizeInBytes);
    }

    private static NativeHeap Create(string name, BufferChecks checks) => new(new NativeHeapOptions { Name = name, Checks = checks });

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Forget(NativeHeap heap, int length) => heap.AllocateBuffer<byte>(length).GetSpan().Fill(1);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void RentAndDispose(NativeHeap heap, int length)
    {
        using NativeBuffer<byte> buffer = heap.AllocateBuffer<byte>(length);
        using MemoryHandle pin = buffer.Pin();
        buffer.Dispose();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForgetOwner(NativeHeap heap, Action found) => _ = new DisposingOwner(heap, found);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ForgetPinned(NativeHeap heap, bool isDisposed)
    {
        NativeBuffer<byte> buffer = heap.AllocateBuffer<byte>(50);
        buffer.Pin();
        if (isDisposed)
        {
            buffer.Dispose();
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void KeepWhileCollecting(string view)
    {
        object kept = Keep(view);
        for (int i = 0; i < 3; i++)
        {
            Eventually.Collect();
        }

        _ofTracking.AssertNone();
        Assert.Equal(1, _tracking.GetStatistics().InUseBlocks);
        Assert.Equal(9, FirstByte(kept));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private object Keep(string view)
    {
        NativeBuffer<byte> buffer = _tracking.AllocateBuffer<byte>(30);
        buffer.GetSpan().Fill(9);
        return view switch
        {
            "memory" => buffer.Memory[10..],
            "window" => new NativeBufferWindow<byte>(buffer, 10, 20).Memory,
            "stream" => buffer.AsStream(),
            "sequence" => NativeBufferSegment<byte>.CreateSequence(buffer, 7),
            _ => buffer.Pin(),
        };
    }

    private static unsafe int FirstByte(object view) => view switch
    {
        Memory<byte> memory => memory.Span[0],
        Stream stream => stream.ReadByte(),
        ReadOnlySequence<byte> sequence => sequence.FirstSpan[0],
        _ => *(byte*)((MemoryHandle)view).Pointer,
    };

    /// <summary>An owner whose user forgot to dispose it, and which makes up for that.</summary>
    private sealed class DisposingOwner(NativeHeap heap, Action found)
    {
        private readonly NativeBuffer<byte> _buffer = heap.AllocateBuffer<byte>(10, new() { Zeroed = true });

        ~DisposingOwner()
        {
            try
            {
                if (_buffer.GetSpan().IndexOfAnyExcept((byte)0) < 0)
                {
                    found();
                }

                _buffer.Dispose();
            }
            catch (ObjectDisposedException)
            {
                // Not found: the test waits in vain for the count above.
            }
        }
    }
}
