using Tarn.Lab.Workloads.Native;
using Tarn.Tests.Support;

namespace Tarn.Lab.Tests.Workloads;

public class WorkerThreadsTests
{
    [Fact]
    public void Every_number_runs_on_a_thread_of_its_own_and_all_have_ended_afterwards()
    {
        var ran = new Thread?[5];
        var pooled = new bool[5];

        new WorkerThreads().Run(5, index =>
        {
            ran[index] = Thread.CurrentThread;
            pooled[index] = Thread.CurrentThread.IsThreadPoolThread;
        });

        Assert.Equal(5, ran.Distinct().Count());
        Assert.All(ran, thread => Assert.False(thread!.IsAlive));
        Assert.DoesNotContain(true, pooled);
    }

    [Fact]
    public void A_failure_reaches_the_waiting_thread_and_the_other_threads_see_it()
    {
        var threads = new WorkerThreads();

        var failure = Assert.Throws<InvalidDataException>(() => threads.Run(3, index =>
        {
            if (index == 1)
            {
                throw new InvalidDataException("the second");
            }

            SpinWait.SpinUntil(() => threads.HasFailed, TimeSpan.FromSeconds(30));
        }));

        Assert.Equal("the second", failure.Message);
        Assert.True(threads.HasFailed);
    }

    [Fact]
    public async Task A_ring_passes_every_block_once_and_in_order_and_says_when_it_is_full()
    {
        int count = StressLength.Times(20_000, 100_000);
        var ring = new BlockRing(5);
        Assert.Equal(0, Pop(ring));
        for (var number = 1; number <= 5; number++)
        {
            Assert.True(Push(ring, number));
        }

        Assert.False(Push(ring, 6));
        var producer = Task.Factory.StartNew(
            () =>
            {
                for (var number = 6; number <= count; number++)
                {
                    SpinWait.SpinUntil(() => Push(ring, number));
                }
            },
            TaskCreationOptions.LongRunning);
        for (var expected = 1; expected <= count; expected++)
        {
            nint popped = 0;
            SpinWait.SpinUntil(() => (popped = Pop(ring)) != 0);
            Assert.Equal(expected, popped);
        }

        await producer;
        Assert.Equal(0, Pop(ring));
    }

    private static unsafe bool Push(BlockRing ring, nint value) => ring.TryPush((void*)value);

    private static unsafe nint Pop(BlockRing ring) => (nint)ring.TryPop();
}
