using Tarn.Tests.Support;

namespace Tarn.Tests.Primitives;

/// <summary>A thread that is interrupted while it waits for a lock of the library gets the lock, and its next wait throws.</summary>
public sealed class UninterruptedTests
{
    private readonly Lock _lock = new();
    private readonly Short _short = new();

    [Fact]
    public void The_wait_for_a_lock_goes_on_and_the_interrupt_stays_pending()
    {
        _lock.Enter();
        Assert.True(IsInterruptedAfter(
            () =>
            {
                using (_lock.Hold())
                {
                    Assert.True(_lock.IsHeldByCurrentThread);
                }
            },
            _lock.Exit));

        Assert.True(_lock.TryEnter());
        _lock.Exit();
    }

    [Fact]
    public void The_wait_for_a_short_lock_goes_on_and_the_interrupt_stays_pending()
    {
        _short.Enter();
        Assert.True(IsInterruptedAfter(_short.EnterAndExit, _short.Exit));

        _short.EnterAndExit();
    }

    [Fact]
    public void A_call_that_an_interrupt_ended_is_made_again()
    {
        using SemaphoreSlim open = new(0);
        int calls = 0;
        Assert.True(IsInterruptedAfter(
            () => Uninterrupted.Call(
                wait =>
                {
                    calls++;
                    wait.Wait();
                },
                open),
            () =>
            {
                Eventually.True(() => Volatile.Read(ref calls) > 1, "the call is made again");
                open.Release();
            }));

        Assert.Equal(2, calls);
    }

    [Fact]
    public void A_question_that_an_interrupt_ended_is_asked_again()
    {
        using SemaphoreSlim open = new(0);
        int asked = 0;
        int answer = 0;
        Assert.True(IsInterruptedAfter(
            () => answer = Uninterrupted.Get(() =>
            {
                asked++;
                open.Wait();
                return 7;
            }),
            () =>
            {
                Eventually.True(() => Volatile.Read(ref asked) > 1, "the question is asked again");
                open.Release();
            }));

        Assert.Equal((2, 7), (asked, answer));
    }

    [Fact]
    public void A_thread_that_nobody_interrupted_is_not_interrupted_afterwards()
    {
        using (_lock.Hold())
        using (_lock.Hold())
        {
            Uninterrupted.Call(static _ => { }, 0);
        }

        Assert.False(IsInterrupted());
    }

    /// <summary>Interrupts a thread inside <paramref name="wait"/>, then ends the wait. Returns whether its next wait threw.</summary>
    private static bool IsInterruptedAfter(Action wait, Action release)
    {
        bool isInterrupted = false;
        Exception? failure = null;
        Thread waiter = new(() =>
        {
            try
            {
                wait();
                isInterrupted = IsInterrupted();
            }
#pragma warning disable CA1031 // the test fails with it
            catch (Exception e)
#pragma warning restore CA1031
            {
                failure = e;
            }
        });
        waiter.Start();
        Eventually.True(() => (waiter.ThreadState & ThreadState.WaitSleepJoin) != 0, "the thread waits");
        waiter.Interrupt();
        Assert.False(waiter.Join(millisecondsTimeout: 50));
        release();
        waiter.Join();
        Assert.Null(failure);
        return isInterrupted;
    }

    private static bool IsInterrupted()
    {
        try
        {
            Thread.Sleep(1);
            return false;
        }
        catch (ThreadInterruptedException)
        {
            return true;
        }
    }

    private sealed class Short
    {
        private ShortLock _lock;

        public void Enter() => _lock.Enter();

        public void Exit() => _lock.Exit();

        public void EnterAndExit()
        {
            using (_lock.Hold())
            {
            }
        }
    }
}
