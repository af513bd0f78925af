using System.Collections.Concurrent;
using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps.Security;

/// <summary>Threads without mistakes, and handlers that use the heap of the report.</summary>
public unsafe class SharedUseTests
{
    [Theory]
    [InlineData(BufferChecks.All)]
    [InlineData(BufferChecks.All | BufferChecks.GuardPages)]
    [InlineData(BufferChecks.SampledLeaks)]
    public void Threads_that_hand_blocks_over_while_others_trim_and_tick_raise_no_alarm(BufferChecks checks)
    {
        TrimClock clock = new(new ManualTime(), static () => true);
        CheckedHeapUnderTest heap = new(checks, new NativeHeapOptions { MaxRetainedBytes = 1 << 20, Clock = clock });
        using IncidentLog incidents = new(heap.Name);
        ConcurrentQueue<(nint Block, int Size, byte Mark)> handedOver = [];
        int users = 4;
        Parallel.For(0, users + 1, thread =>
        {
            if (thread == 4)
            {
                TrimUntilAllEnded(heap, clock, ref users);
                return;
            }

            try
            {
                Use(heap, handedOver, new Random(thread));
            }
            finally
            {
                Interlocked.Decrement(ref users);
            }
        });
        while (handedOver.TryDequeue(out (nint Block, int Size, byte Mark) one))
        {
            VerifyAndFree(heap, one);
        }

        heap.Validate();
        Assert.Equal(0, heap.InUseBlocks);
        heap.Dispose();
        incidents.AssertNone();
    }

    [Fact]
    public void A_handler_may_use_the_heap_and_even_dispose_it()
    {
        for (int round = 0; round < 10; round++)
        {
            CheckedHeapUnderTest heap = new(BufferChecks.All);
            int handled = 0;
            void UseAndDispose(object? sender, BufferIncident incident)
            {
                if (incident.SourceName == heap.Name)
                {
                    try
                    {
                        heap.Free(heap.Allocate(10), 10);
                        Worker.RunOnce(() => heap.Trim());
                        heap.Dispose();
                    }
                    catch (ObjectDisposedException)
                    {
                        // Another handler was first.
                    }

                    Interlocked.Increment(ref handled);
                }
            }

            BufferDiagnostics.IncidentFound += UseAndDispose;
            try
            {
                byte* block = heap.Allocate(10);
                heap.Free(block);
                Assert.Throws<InvalidOperationException>(() => heap.Free(block));
                Eventually.True(() => Volatile.Read(ref handled) > 0, "the handler used the heap");
            }
            finally
            {
                BufferDiagnostics.IncidentFound -= UseAndDispose;
            }

            Assert.Throws<ObjectDisposedException>(() => heap.Allocate(10));
        }
    }

    [Fact]
    public void A_heap_that_is_disposed_while_threads_use_it_waits_for_them_and_turns_later_calls_away()
    {
        for (int round = 0; round < 20; round++)
        {
            CheckedHeapUnderTest heap = new(BufferChecks.Returns | BufferChecks.UseAfterReturn);
            using IncidentLog incidents = new(heap.Name);
            using Barrier together = new(3);
            InvalidOperationException? failure = null;
            List<Thread> users = [];
            for (int i = 0; i < 2; i++)
            {
                Thread user = new(() => failure = UseUntilItThrows(heap, together) ?? failure);
                user.Start();
                users.Add(user);
            }

            together.SignalAndWait();
            Thread.Yield();
            heap.Dispose();
            users.ForEach(static user => user.Join());

            Assert.Null(failure);
            Assert.Throws<ObjectDisposedException>(() => heap.Trim());
            incidents.AssertNone();
        }
    }

    /// <summary>Returns the exception, unless it says that the heap is disposed.</summary>
    private static InvalidOperationException? UseUntilItThrows(CheckedHeapUnderTest heap, Barrier together)
    {
        together.SignalAndWait();
        try
        {
            while (true)
            {
                byte* block = heap.Allocate(200);
                heap.Free(block, 200);
            }
        }
        catch (ObjectDisposedException)
        {
            return null;
        }
        catch (InvalidOperationException e)
        {
            return e;
        }
    }

    private static void TrimUntilAllEnded(CheckedHeapUnderTest heap, TrimClock clock, ref int users)
    {
        while (Volatile.Read(ref users) > 0)
        {
            heap.Trim();
            clock.Tick();
            Thread.Sleep(1);
        }
    }

    private static void Use(CheckedHeapUnderTest heap, ConcurrentQueue<(nint Block, int Size, byte Mark)> handedOver, Random random)
    {
        for (int i = 0; i < 1500; i++)
        {
            int size = random.Next(20) == 0 ? random.Next(100_000) : random.Next(500);
            byte mark = (byte)random.Next(1, 200);
            byte* block = heap.Allocate((nuint)size);
            new Span<byte>(block, size).Fill(mark);
            handedOver.Enqueue(((nint)block, size, mark));
            if (random.Next(4) > 0 && handedOver.TryDequeue(out (nint Block, int Size, byte Mark) one))
            {
                VerifyAndFree(heap, one);
            }
        }
    }

    private static void VerifyAndFree(CheckedHeapUnderTest heap, (nint Block, int Size, byte Mark) one)
    {
        byte* block = (byte*)one.Block;
        int newSize = one.Size;
        if (one.Size % 3 == 0)
        {
            newSize = (one.Size / 2) + 1;
            block = heap.Reallocate(block, (nuint)one.Size, (nuint)newSize);
        }

        Assert.False(
            new Span<byte>(block, Math.Min(one.Size, newSize)).ContainsAnyExcept(one.Mark), "Someone else wrote to a block in use.");
        heap.Free(block, (nuint)newSize);
    }
}
