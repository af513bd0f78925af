using System.Buffers;
using Tarn.Tests.Support;

namespace Tarn.Tests.Streams;

/// <summary>There is no memory, at each step at which a stream takes some: it is as it was, and goes on once there is.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class RefusedStreamTests
{
    /// <summary>The long form refuses each call in its turn.</summary>
    private static readonly int s_every = StressLength.IsLong ? 1 : 4;

    private static readonly (string Name, Action<PooledMemoryStream> Do, Action<MemoryStream> DoToModel)[] s_steps =
    [
        ("write a byte", static stream => stream.WriteByte(1), static model => model.WriteByte(1)),
        ("write some", static stream => stream.Write(Contents.Of(300)), static model => model.Write(Contents.Of(300))),
        ("write more", static stream => stream.Write(Contents.Of(70_000)), static model => model.Write(Contents.Of(70_000))),
        ("a gap", static stream => stream.SetLength(stream.Length + 100_000), static model => model.SetLength(model.Length + 100_000)),
        ("a sequence", static stream => stream.Write(new ReadOnlySequence<byte>(Contents.Of(600_000))),
            static model => model.Write(Contents.Of(600_000))),
        ("room", static stream => stream.LongCapacity = stream.LongCapacity + 400_000, static _ => { }),
        ("to the end", static stream => stream.Seek(0, SeekOrigin.End), static model => model.Seek(0, SeekOrigin.End)),
        ("in place", static stream => InPlace(stream, 900_000), static model => model.Write(Contents.Of(900_000))),
        ("to the middle", static stream => stream.Position = 100, static model => model.Position = 100),
        ("in place in the middle", static stream => InPlace(stream, 5_000), static model => model.Write(Contents.Of(5_000))),
        ("its own", static stream => stream.Write(stream.GetReadOnlySequence()), static model => model.Write(model.ToArray())),
        ("another stream", static stream => stream.CopyFrom(new MemoryStream(Contents.Of(800_000))),
            static model => { model.Seek(0, SeekOrigin.End); model.Write(Contents.Of(800_000)); }),
        ("written on", static stream => stream.WriteTo(new MemoryStream()), static _ => { }),
    ];

    [Fact]
    public void In_arrays()
    {
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.None });
        int rents = 0;
        int refused = -1;
        PooledMemoryStreamOptions options = new()
        {
            Pool = pool,
            BeforeRent = _ =>
            {
                if (++rents == refused)
                {
                    throw new OutOfMemoryException("This rent is refused.");
                }
            },
        };
        Assert.Equal(0, Run(options));
        int all = rents;
        Assert.InRange(all, 10, 1000);
        foreach (StreamClearing zeroing in Enum.GetValues<StreamClearing>())
        {
            for (int n = 1; n <= all; n += s_every)
            {
                (rents, refused) = (0, n);
                Assert.Equal(1, Run(new PooledMemoryStreamOptions(options) { Clearing = zeroing }));
                OwnMemory.WaitForTheBackground();
                Assert.Equal(0, pool.GetStatistics().InUseBytes);
            }
        }
    }

    [Fact]
    public void The_array_that_is_to_hold_all()
    {
        bool isRefused = false;
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.None });
        using PooledMemoryStream stream = new(new PooledMemoryStreamOptions
        {
            Pool = pool,
            BeforeRent = _ => _ = isRefused ? throw new OutOfMemoryException() : 0,
        });
        Contents.WriteInPieces(stream, Contents.Of(50_000), 100);
        stream.Position = 10;
        isRefused = true;
        Assert.Throws<OutOfMemoryException>(stream.GetBuffer);
        Assert.Throws<OutOfMemoryException>(() => stream.TryGetBuffer(out _));
        Assert.Equal(10, stream.Position);
        Contents.Verify(stream, Contents.Of(50_000));
        isRefused = false;
        Assert.Equal(Contents.Of(50_000), stream.GetBuffer().AsSpan(0, 50_000));
    }

    [Theory]
    [InlineData(StreamClearing.None)]
    [InlineData(StreamClearing.OnReturn)]
    public void In_native_memory(StreamClearing zeroing)
    {
        int calls = RunNative(0, zeroing, out int failures);
        Assert.Equal(0, failures);
        Assert.InRange(calls, 5, 1000);
        int failed = 0;
        for (int n = 1; n <= calls; n += s_every)
        {
            RunNative(n, zeroing, out failures);
            failed += failures;
        }

        Assert.True(failed > 0, "No refusal ever surfaced.");
    }

    /// <summary>Memory taken before the refusal goes back. It is address space only, as nothing is touched.</summary>
    [LargeMemoryFact]
    public void The_last_of_several_segments()
    {
        for (int n = 1; n < 20; n++)
        {
            FailingMemory system = new() { DecommittedMemoryFaults = true };
            using (NativeHeap heap = new(new NativeHeapOptions { Checks = BufferChecks.None, Memory = system, MaxRetainedBytes = 0 }))
            {
                using PooledMemoryStream stream = new(new PooledMemoryStreamOptions { Heap = heap });
                stream.Write(Contents.Of(100));
                stream.Position = 7;
                long inUse = heap.GetStatistics().InUseBytes;
                system.Refuse(n, andAllAfter: true);
                try
                {
                    stream.SetLength(3L << 30);
                    Assert.True(n > 3, "Three segments need more calls.");
                    Assert.Equal(0, system.Refused);
                    n = int.MaxValue - 1;
                }
                catch (OutOfMemoryException)
                {
                    system.RefuseNothing();
                    Assert.Equal(inUse, heap.GetStatistics().InUseBytes);
                    Assert.Equal((7, inUse), (stream.Position, stream.LongCapacity));
                    Contents.Verify(stream, Contents.Of(100));
                    stream.SetLength(3L << 30);
                    Assert.Equal(3L << 30, stream.Length);
                }
            }

            system.AssertNothingLeaks();
        }
    }

    private static int RunNative(int refused, StreamClearing zeroing, out int failures)
    {
        FailingMemory system = new() { DecommittedMemoryFaults = true };
        using (NativeHeap heap = new(new NativeHeapOptions { Checks = BufferChecks.None, Memory = system, MaxRetainedBytes = 0 }))
        {
            int before = system.Calls;
            if (refused > 0)
            {
                // The heap handles a single refusal: it gives back its idle memory and retries once.
                system.Refuse(refused, andAllAfter: true);
            }

            failures = Run(new PooledMemoryStreamOptions { Heap = heap, Clearing = zeroing }, system.RefuseNothing);
            Assert.Equal(0, heap.GetStatistics().InUseBlocks);
            refused = system.Calls - before;
        }

        system.AssertNothingLeaks();
        return refused;
    }

    /// <summary>Makes all steps, and repeats a refused one after <paramref name="relent"/>. Returns the number of refusals.</summary>
    private static int Run(PooledMemoryStreamOptions options, Action? relent = null)
    {
        int failures = 0;
        using MemoryStream model = new();
        using PooledMemoryStream stream = new(options);
        foreach ((string name, Action<PooledMemoryStream> step, Action<MemoryStream> onModel) in s_steps)
        {
            try
            {
                step(stream);
            }
            catch (OutOfMemoryException)
            {
                failures++;
                Verify(name + ", refused");
                relent?.Invoke();
                step(stream);
            }

            onModel(model);
            Verify(name);
        }

        return failures;

        void Verify(string when)
        {
            Assert.True(
                (model.Length, model.Position) == (stream.Length, stream.Position),
                $"After {when}: {stream.Position} of {stream.Length} is not {model.Position} of {model.Length}.");
            Assert.True(stream.ToArray().AsSpan().SequenceEqual(model.ToArray()), $"After {when} the contents are others.");
        }
    }

    /// <summary>The request may be refused, and so may the advance.</summary>
    private static void InPlace(PooledMemoryStream stream, int count)
    {
        Contents.Of(count).CopyTo(stream.GetSpan(count));
        stream.Advance(count);
    }
}
