using System.Collections.Concurrent;
using System.Diagnostics;
using Tarn.Tests.Support;

namespace Tarn.Tests.Streams;

/// <summary>Many threads: each with streams of its own, and all disposing the same one.</summary>
public sealed class StreamStressTests
{
    [Fact]
    public void The_memory_of_a_stream_goes_back_once_whichever_thread_disposes_it()
    {
        const int threads = 2;
        const int rounds = 3000;
        using OwnMemory memory = new(BufferChecks.All);
        PooledMemoryStream[] streams = new PooledMemoryStream[rounds];
        for (int round = 0; round < rounds; round++)
        {
            streams[round] = new PooledMemoryStream(round % 2 == 0 ? memory.InPool : memory.InHeap);
            Contents.WriteInPieces(streams[round], new byte[(round % 40) + (round % 7 * 300)], 100);
        }

        AtOnce(threads, rounds, round => streams[round].Dispose());
        memory.AssertNothingInUse();
        BufferPoolStatistics end = memory.Pool.GetStatistics();
        Assert.Equal(end.Rented, end.Returned);
    }

    [Fact]
    public void Detached_contents_go_back_once_whichever_thread_disposes_them()
    {
        const int threads = 2;
        const int rounds = 3000;
        using OwnMemory memory = new(BufferChecks.All);
        OwnedSequence<byte>[] detached = new OwnedSequence<byte>[rounds];
        for (int round = 0; round < rounds; round++)
        {
            using PooledMemoryStream stream = new(memory.InPool);
            stream.Write(new byte[100]);
            detached[round] = stream.Detach();
        }

        AtOnce(threads, rounds, round => detached[round].Dispose());
        memory.AssertNothingInUse();
        Assert.Equal(memory.Pool.GetStatistics().Rented, memory.Pool.GetStatistics().Returned);
    }

    /// <summary>All threads begin each round together, as closely as possible. An exception on any of them fails the test.</summary>
    private static void AtOnce(int threads, int rounds, Action<int> action)
    {
        int arrived = 0;
        ConcurrentQueue<Exception> failures = [];
        Thread[] all = [.. Enumerable.Range(0, threads).Select(_ => new Thread(() =>
        {
            for (int round = 0; round < rounds; round++)
            {
                Interlocked.Increment(ref arrived);
                SpinWait spin = default;
                while (Volatile.Read(ref arrived) < threads * (round + 1))
                {
                    spin.SpinOnce(sleep1Threshold: -1);
                }

                try
                {
                    action(round);
                }
#pragma warning disable CA1031 // the test reports any exception
                catch (Exception e)
#pragma warning restore CA1031
                {
                    failures.Enqueue(e);
                }
            }
        }))];
        Array.ForEach(all, static thread => thread.Start());
        Array.ForEach(all, static thread => thread.Join());
        Assert.Empty(failures);
    }

    [Theory]
    [InlineData(false, StreamClearing.None, BufferChecks.None)]
    [InlineData(false, StreamClearing.None, BufferChecks.All)]
    [InlineData(false, StreamClearing.Background, BufferChecks.None)]
    [InlineData(true, StreamClearing.None, BufferChecks.None)]
    public void Streams_on_many_threads_hold_their_own_contents(bool native, StreamClearing zeroing, BufferChecks checks)
    {
        using OwnMemory memory = new(checks);
        PooledMemoryStreamOptions options = new PooledMemoryStreamOptions(native ? memory.InHeap : memory.InPool) { Clearing = zeroing };
        TimeSpan duration = StressLength.Duration / 4;
        Parallel.For(0, 4, new ParallelOptions { MaxDegreeOfParallelism = 4 }, index =>
        {
            Stopwatch watch = Stopwatch.StartNew();
            for (int round = index; watch.Elapsed < duration; round += 4)
            {
                byte[] contents = Contents.Of(1 + (int)((uint)(round * 7919) % 60_000), seed: round);
                using PooledMemoryStream stream = new(options, round % 3 == 0 ? contents.Length : 0);
                Contents.WriteInPieces(stream, contents, 1 + (round % 5000));
                Contents.Verify(stream, contents);
            }
        });
        memory.AssertNothingInUse();
    }
}
