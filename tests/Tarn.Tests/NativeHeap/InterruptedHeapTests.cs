using System.Diagnostics;
using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

/// <summary>
/// Threads that are interrupted all the time: no call of a heap throws because of it or stays half done, and the heap's end waits for none.
/// </summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed unsafe class InterruptedHeapTests
{
    private const int Threads = 4;

    private static readonly nuint[] s_sizes = [16, 100, 1000, 5000, 60_000, 250_000, 300_000, 1 << 20];

    [Theory]
    [InlineData(BufferChecks.None, 0)]
    [InlineData(BufferChecks.None, 8 << 20)]
    [InlineData(BufferChecks.Returns, 8 << 20)]
    public void No_call_is_ended_by_an_interrupt(BufferChecks checks, long cap)
    {
        NativeHeap heap = new(new NativeHeapOptions { Checks = checks, MaxRetainedBytes = cap });
        nint[] exchange = new nint[s_sizes.Length];
        using CancellationTokenSource over = new();
        Exception? thrown = null;
        Thread[] threads = [.. Enumerable.Range(0, Threads).Select(seed => new Thread(() => Live(seed)))];
        Array.ForEach(threads, static thread => thread.Start());
        Stopwatch elapsed = Stopwatch.StartNew();
        while (elapsed.Elapsed < StressLength.Duration)
        {
            Array.ForEach(threads, static thread => thread.Interrupt());
            heap.Trim();
        }

        over.Cancel();
        Array.ForEach(threads, static thread => thread.Join());
        Assert.Null(thrown);
        for (int i = 0; i < exchange.Length; i++)
        {
            heap.Free((void*)exchange[i], s_sizes[i]);
        }

        Eventually.True(() => heap.Trim() >= 0 && heap.GetStatistics().RetainedBytes == 0, "a trim finds what ended threads kept");
        Assert.Equal(0, heap.GetStatistics().InUseBlocks);
        heap.Validate();
        Thread end = new(heap.Dispose) { IsBackground = true };
        end.Start();
        Assert.True(end.Join(TimeSpan.FromSeconds(60)), "The end of the heap waits for a call that was interrupted.");

        void Live(int seed)
        {
            Random random = new(seed);
            try
            {
                while (!over.IsCancellationRequested)
                {
                    int size = random.Next(s_sizes.Length);
                    nint mine = (nint)heap.Allocate(s_sizes[size]);
                    *(nint*)mine = mine;
                    nint theirs = Interlocked.Exchange(ref exchange[size], mine);
                    Require.That(theirs == 0 || *(nint*)theirs == theirs, "A block changed hands and contents.");
                    heap.Free((void*)theirs, s_sizes[size]);
                }
            }
#pragma warning disable CA1031 // any exception is the finding
            catch (Exception e)
#pragma warning restore CA1031
            {
                Volatile.Write(ref thrown, e);
            }
        }
    }
}
