using Tarn.Tests.Support;

namespace Tarn.Tests.Streams;

/// <summary>
/// Clearing on another thread: it drains, is bounded, and no caller waits for it. The bound applies to the process, so no other test runs
/// beside these.
/// </summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class BackgroundClearingTests : IDisposable
{
    private readonly OwnMemory _memory = new();

    public void Dispose() => _memory.Dispose();

    /// <summary>The thread pool is kept busy, so nothing drains: Dispose still returns, and clears the excess memory itself.</summary>
    [Fact]
    public void No_caller_waits_for_a_background_thread_that_does_not_run()
    {
        OwnMemory.WaitForTheBackground();
        ManualResetEventSlim release = new(); // not disposed: a waiting thread may see it late
        ThreadPool.GetMaxThreads(out int workers, out int ports);
        ThreadPool.GetMinThreads(out int least, out _);
        try
        {
            ThreadPool.SetMaxThreads(Math.Max(least, Environment.ProcessorCount), ports);
            for (int i = 0; i < Math.Max(least, Environment.ProcessorCount) + 2; i++)
            {
                ThreadPool.UnsafeQueueUserWorkItem(_ => release.Wait(), null);
            }

            for (int round = 0; round < 40; round++)
            {
                using PooledMemoryStream stream = new(
                    new PooledMemoryStreamOptions(_memory.InPool) { Clearing = StreamClearing.Background }, 4 << 20);
                stream.SetLength(4 << 20);
                stream.Dispose();
                Assert.InRange(BackgroundClearing.WaitingBytes, 0, BackgroundClearing.MaxWaitingBytes);
            }

            Assert.InRange(
                BackgroundClearing.WaitingBytes, BackgroundClearing.MaxWaitingBytes - (4 << 20), BackgroundClearing.MaxWaitingBytes);
            Assert.True(_memory.InUse >= BackgroundClearing.WaitingBytes);
        }
        finally
        {
            release.Set();
            ThreadPool.SetMaxThreads(workers, ports);
        }

        _memory.AssertNothingInUse();
    }

    [Fact]
    public void One_segment_of_more_than_may_wait_is_cleared_at_once()
    {
        OwnMemory.WaitForTheBackground();
        PooledMemoryStream stream = new(
            new PooledMemoryStreamOptions(_memory.InPool) { Clearing = StreamClearing.Background }, BackgroundClearing.MaxWaitingBytes + 1);
        stream.SetLength(BackgroundClearing.MaxWaitingBytes + 1);
        stream.Dispose();
        Assert.Equal(0, BackgroundClearing.WaitingBytes);
        Assert.Equal(0, _memory.InUse);
    }

    [Fact]
    public void An_array_that_was_returned_already_does_not_stop_the_clearing()
    {
        using OwnMemory checkedMemory = new(BufferChecks.Returns);
        PooledMemoryStreamOptions options = new PooledMemoryStreamOptions(checkedMemory.InPool) { Clearing = StreamClearing.Background };
        PooledMemoryStream wronged = new(options);
        wronged.Write(Contents.Of(1000));
        checkedMemory.Pool.Return(wronged.GetBuffer());
        wronged.Dispose();

        using (PooledMemoryStream next = new(options))
        {
            next.Write(Contents.Of(5000));
        }

        checkedMemory.AssertNothingInUse();
    }

    /// <summary>A pool refuses an array that is not its own with another exception than checks do.</summary>
    [Fact]
    public void A_segment_that_cannot_go_back_does_not_stop_the_clearing()
    {
        PooledMemoryStreamOptions options = new PooledMemoryStreamOptions(_memory.InPool) { Clearing = StreamClearing.Background };
        for (int round = 0; round < 3; round++)
        {
            byte[] foreign = new byte[1001];
            Assert.Throws<ArgumentException>(() => _memory.Pool.Return(foreign));
            Assert.True(BackgroundClearing.TryAdd(new Segment { Array = foreign, Size = foreign.Length }, foreign.Length, options));
            using PooledMemoryStream next = new(options);
            next.Write(Contents.Of(5000));
        }

        _memory.AssertNothingInUse();
    }

    [Fact]
    public void Many_threads_at_once()
    {
        Parallel.For(0, 200, index =>
        {
            using PooledMemoryStream stream = new(new PooledMemoryStreamOptions(_memory.InPool) { Clearing = StreamClearing.Background });
            Contents.WriteInPieces(stream, Contents.Of(20_000, index), 700);
        });
        _memory.AssertNothingInUse();
    }
}
