using System.Buffers;
using System.Collections.Concurrent;
using System.IO.Pipelines;
using Tarn.Tests.Support;

namespace Tarn.Tests.ArrayPool;

/// <summary>The bytes that a rent of a memory pool allocates once it is warm: none.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class MemoryPoolCostTests
{
    private readonly MemoryPool<byte> _memory = BufferPool<byte>.Create(
        new BufferPoolOptions { Checks = BufferChecks.None, IdleTimeout = Timeout.InfiniteTimeSpan, MaxRetainedBytes = 1 << 28 })
        .AsMemoryPool();

    [Theory]
    [InlineData(1)]
    [InlineData(20)]
    [InlineData(500)]
    public void A_warm_rent_allocates_nothing(int inUse)
    {
        IMemoryOwner<byte>[] owners = new IMemoryOwner<byte>[inUse];
        Work(100);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Work(100);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);

        void Work(int rounds)
        {
            for (int round = 0; round < rounds; round++)
            {
                for (int i = 0; i < owners.Length; i++)
                {
                    owners[i] = _memory.Rent(4096);
                    owners[i].Memory.Span[0] = 1;
                }

                foreach (IMemoryOwner<byte> owner in owners)
                {
                    owner.Dispose();
                }
            }
        }
    }

    /// <summary>One thread rents and another disposes, as the two ends of a pipe do.</summary>
    [Fact]
    public void Owners_come_back_from_the_thread_that_disposes()
    {
        const int Rents = 20_000;
        using BlockingCollection<IMemoryOwner<byte>> handed = new(boundedCapacity: 32);
        Thread disposer = new(() =>
        {
            foreach (IMemoryOwner<byte> owner in handed.GetConsumingEnumerable())
            {
                owner.Dispose();
            }
        });
        disposer.Start();
        HashSet<IMemoryOwner<byte>> seen = [];
        for (int i = 0; i < Rents; i++)
        {
            IMemoryOwner<byte> owner = _memory.Rent(256);
            seen.Add(owner);
            handed.Add(owner);
        }

        handed.CompleteAdding();
        disposer.Join();

        // The ring of this thread may be as large as an earlier test made it.
        Assert.InRange(seen.Count, 1, 1_100);
    }

    /// <summary>Both ends are on this thread, and only its own bytes count: other threads of the process allocate when they like.</summary>
    [Fact]
    public void A_warm_pipe_rents_without_allocating()
    {
        Pipe pipe = new(new PipeOptions(
            _memory, PipeScheduler.Inline, PipeScheduler.Inline, pauseWriterThreshold: 0, minimumSegmentSize: 4096));
        byte[] sent = new byte[100_000];
        Pass(50);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Pass(50);

        // A hundred thousand bytes take 25 segments, which the pipe keeps. Their owners would be 1,250.
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);

        void Pass(int times)
        {
            for (int i = 0; i < times; i++)
            {
                ValueTask<FlushResult> flushed = pipe.Writer.WriteAsync(sent);
                Assert.True(flushed.IsCompletedSuccessfully);
                Assert.True(pipe.Reader.TryRead(out ReadResult read));
                Assert.True(read.Buffer.Length == sent.Length);
                pipe.Reader.AdvanceTo(read.Buffer.End);
            }
        }
    }
}
