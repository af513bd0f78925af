using System.Diagnostics;
using Tarn.Tests.Support;

namespace Tarn.Tests.Streams;

/// <summary>Many threads: each with streams of its own, and all disposing the same one.</summary>
public sealed class StreamStressTests
{
    [Fact]
    public void Whoever_disposes_a_stream_its_memory_goes_back_once()
    {
        const int threads = 4;
        const int rounds = 2000;
        using OwnMemory memory = new(BufferChecks.All);
        PooledMemoryStream[] streams = new PooledMemoryStream[rounds];
        for (int round = 0; round < rounds; round++)
        {
            streams[round] = new PooledMemoryStream(round % 2 == 0 ? memory.InPool : memory.InHeap);
            Contents.WriteInPieces(streams[round], new byte[(round % 40) + (round % 7 * 300)], 100);
        }

        using Barrier barrier = new(threads);
        Thread[] disposing = [.. Enumerable.Range(0, threads).Select(_ => new Thread(() =>
        {
            for (int round = 0; round < rounds; round++)
            {
                if (round % 50 == 0)
                {
                    barrier.SignalAndWait();
                }

                streams[round].Dispose();
            }
        }))];
        Array.ForEach(disposing, static thread => thread.Start());
        Array.ForEach(disposing, static thread => thread.Join());
        memory.AssertNothingInUse();
        BufferPoolStatistics end = memory.Pool.GetStatistics();
        Assert.Equal(end.Rented, end.Returned);
    }

    [Theory]
    [InlineData(false, StreamZeroing.None, BufferChecks.None)]
    [InlineData(false, StreamZeroing.None, BufferChecks.All)]
    [InlineData(false, StreamZeroing.Background, BufferChecks.None)]
    [InlineData(true, StreamZeroing.None, BufferChecks.None)]
    public void Streams_on_many_threads_hold_what_was_written_to_them(bool native, StreamZeroing zeroing, BufferChecks checks)
    {
        using OwnMemory memory = new(checks);
        PooledMemoryStreamOptions options = (native ? memory.InHeap : memory.InPool) with { Zeroing = zeroing };
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
