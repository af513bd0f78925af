using System.Runtime.InteropServices;

namespace Tarn.SharedMemory.Tests.Platform;

/// <summary>What a signal promises on every system: a wake ends the sleep of all, and none sleeps over its word.</summary>
public sealed class SharedSignalTests : IDisposable
{
    /// <summary>Longer than a test may take: a sleeper that was not woken is found.</summary>
    private const int Long = 600_000;

    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(60);

    private readonly string _name = $"tarn-signal-{Guid.NewGuid():n}";
    private readonly nint _memory = Allocate();

    private unsafe ref uint Word => ref *(uint*)_memory;

    public unsafe void Dispose() => NativeMemory.AlignedFree((void*)_memory);

    /// <summary>Each sleeper has a signal of its own, as in a process of its own.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(9)]
    public void One_wake_ends_the_sleep_of_all(int sleepers)
    {
        using SharedSignal waker = Create();
        for (uint round = 0; round < 20; round++)
        {
            using CountdownEvent asleep = new(sleepers);
            Thread[] threads = [.. Enumerable.Range(0, sleepers).Select(_ => Start(() => SleepOver(round, asleep)))];
            Assert.True(asleep.Wait(s_limit));
            if (round % 2 == 0)
            {
                Thread.Sleep(5);
            }

            Volatile.Write(ref Word, round + 1);
            waker.Wake(round);
            Assert.All(threads, thread => Assert.True(thread.Join(s_limit), $"A sleeper of {sleepers} sleeps on in round {round}."));
        }
    }

    /// <summary>Each changes the word for the next, and sleeps until its own turn: a lost wake stops all three.</summary>
    [Fact]
    public void Threads_take_turns()
    {
        const int Threads = 3;
        const uint Turns = 3000;
        Thread[] threads = [.. Enumerable.Range(0, Threads).Select(i => Start(() => TakeTurns((uint)i, Threads, Turns)))];
        Assert.All(threads, thread => Assert.True(thread.Join(s_limit), $"The turns end at {Volatile.Read(ref Word)} of {Turns}."));
        Assert.Equal(Turns, Volatile.Read(ref Word));
    }

    [Fact]
    public void A_sleep_ends_at_its_timeout_and_a_changed_word_is_not_slept_over()
    {
        using SharedSignal signal = Create();
        long began = Environment.TickCount64;
        signal.Wait(0, 30);
        Word = 5;
        signal.Wait(0, Long);
        signal.Wait(4, Long);
        Assert.InRange(Environment.TickCount64 - began, 0, (long)s_limit.TotalMilliseconds);
    }

    private static unsafe nint Allocate()
    {
        void* memory = NativeMemory.AlignedAlloc(64, 64);
        NativeMemory.Clear(memory, 64);
        return (nint)memory;
    }

    private static Thread Start(Action run)
    {
        Thread thread = new(() => run()) { IsBackground = true };
        thread.Start();
        return thread;
    }

    private unsafe SharedSignal Create() => SharedSignal.Create(_name, (uint*)_memory);

    private void SleepOver(uint seen, CountdownEvent asleep)
    {
        using SharedSignal signal = Create();
        asleep.Signal();
        while (Volatile.Read(ref Word) == seen)
        {
            signal.Wait(seen, Long);
        }
    }

    private void TakeTurns(uint mine, uint threads, uint turns)
    {
        using SharedSignal signal = Create();
        for (uint turn = Volatile.Read(ref Word); turn < turns; turn = Volatile.Read(ref Word))
        {
            if (turn % threads == mine)
            {
                Volatile.Write(ref Word, turn + 1);
                signal.Wake(turn);
            }
            else
            {
                signal.Wait(turn, Long);
            }
        }
    }
}
