
namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>The threads that sleep for tasks, without rings: words in this process's memory.</summary>
public sealed unsafe class TaskWaitersTests : IDisposable
{
    private readonly List<Wait> _made = [];

    public static TheoryData<string> Groups => OperatingSystem.IsWindows() ? ["of the system"] : ["of the system", "single"];

    public void Dispose() => _made.ForEach(static one => one.Free());

    [Theory]
    [MemberData(nameof(Groups))]
    public void Each_wait_is_called_when_its_word_changes_and_no_other(string group)
    {
        TaskWaiters waiters = Create(group);
        Wait[] waits = [.. Enumerable.Range(0, 20).Select(_ => Create())];
        Array.ForEach(waits, waiters.Add);

        for (int round = 1; round <= 50; round++)
        {
            Wait wait = waits[round * 7 % waits.Length];
            int before = wait.Changes;
            wait.Wake();
            Eventually.True(() => wait.Changes == before + 1, $"wait {round} is called");
        }

        Assert.Equal(50, waits.Sum(static wait => wait.Changes));
    }

    [Theory]
    [MemberData(nameof(Groups))]
    public void A_wake_before_the_addition_is_not_lost(string group)
    {
        TaskWaiters waiters = Create(group);
        for (int i = 0; i < 200; i++)
        {
            Wait wait = Create();
            wait.Most = 1;
            Thread waker = new(wait.Wake);
            waker.Start();
            waiters.Add(wait);
            Eventually.True(() => wait.Changes == 1, "the wait is called");
            waker.Join();
        }
    }

    /// <summary>Additions while the thread sleeps, wakes and goes to sleep.</summary>
    [Theory]
    [MemberData(nameof(Groups))]
    public void Waits_are_added_by_many_threads_and_end_each_once(string group)
    {
        const int rounds = 300;
        TaskWaiters waiters = Create(group);
        Thread[] threads = [.. Enumerable.Range(0, 4).Select(_ => new Thread(() =>
        {
            Wait wait;
            lock (_made)
            {
                wait = Create();
            }

            for (int round = 1; round <= rounds; round++)
            {
                wait.Most = round;
                wait.See();
                waiters.Add(wait);
                wait.Wake();
                Eventually.True(() => wait.Ended == round, $"round {round} ends");
            }
        }))];
        Array.ForEach(threads, static thread => thread.Start());
        Array.ForEach(threads, static thread => thread.Join());

        Assert.All(_made, static wait => Assert.Equal((rounds, rounds), (wait.Changes, wait.Ended)));
    }

    [SkippableFact]
    public void A_thread_sleeps_for_as_many_as_the_system_allows()
    {
        Skip.IfNot(OperatingSystem.IsLinux() && LinuxSignalGroup.IsOffered, "The kernel has no wait for many words.");
        TaskWaiters waiters = Create("of the system");
        Wait[] waits = [.. Enumerable.Range(0, 300).Select(_ => Create())];
        Array.ForEach(waits, waiters.Add);

        Assert.Equal(3, waiters.Threads);
        foreach (Wait wait in waits)
        {
            wait.Most = 1;
            wait.Wake();
            Eventually.True(() => wait.Ended == 1, "the wait is called");
        }
    }

    [Theory]
    [MemberData(nameof(Groups))]
    public void A_thread_without_waits_ends_and_the_next_wait_starts_another(string group)
    {
        TaskWaiters waiters = Create(group, millisecondsIdle: 50);
        for (int i = 0; i < 3; i++)
        {
            Wait[] waits = [Create(), Create()];
            Array.ForEach(waits, waiters.Add);
            Assert.InRange(waiters.Threads, 1, 2);
            foreach (Wait wait in waits)
            {
                wait.Most = 1;
                wait.Wake();
                Eventually.True(() => wait.Ended == 1, "the wait is called");
            }

            Eventually.True(() => waiters.Threads == 0, "the threads end");
        }
    }

    /// <summary>All are looked at, which nobody wakes.</summary>
    [Theory]
    [MemberData(nameof(Groups))]
    public void Waits_that_nobody_wakes_are_called_now_and_then(string group)
    {
        TaskWaiters waiters = Create(group);
        Wait[] waits = [.. Enumerable.Range(0, 5).Select(_ => Create())];
        Array.ForEach(waits, waiters.Add);

        Eventually.True(() => waits.All(static wait => wait.Calls > 2), "each is called");
        Assert.All(waits, static wait => Assert.Equal(0, wait.Changes));
    }

    [Fact]
    public void Looks_become_rarer_the_more_waits_there_are()
    {
        TaskWaiters waiters = Create("of the system");
        int few = waiters.MillisecondsBetweenLooks;
        for (int i = 0; i < 256; i++)
        {
            waiters.Add(Create());
        }

        Assert.Equal(few * 3, waiters.MillisecondsBetweenLooks);
        foreach (Wait wait in _made)
        {
            wait.Most = 1;
            wait.Wake();
        }

        Eventually.True(() => _made.All(static wait => wait.Ended == 1), "all end");
        Eventually.True(() => waiters.MillisecondsBetweenLooks == few, "all ends are noted");
    }

    private static TaskWaiters Create(string group, int millisecondsIdle = 10_000) =>
        new(group == "single" ? static () => new SingleSignalGroup() : SignalGroup.Create) { MillisecondsIdle = millisecondsIdle };

    private Wait Create()
    {
        Wait wait = Wait.Create();
        _made.Add(wait);
        return wait;
    }

    /// <summary>Counts its calls; goes on until its word changed some times.</summary>
    private sealed class Wait(SharedSignal signal) : SignalWait(signal)
    {
        private int _calls;
        private int _changes;
        private int _ended;

        /// <summary>After so many changes it is over.</summary>
        internal int Most { get; set; } = int.MaxValue;

        internal int Calls => Volatile.Read(ref _calls);

        internal int Changes => Volatile.Read(ref _changes);

        internal int Ended => Volatile.Read(ref _ended);

        internal static Wait Create()
        {
            uint* word = (uint*)System.Runtime.InteropServices.NativeMemory.AllocZeroed(sizeof(uint));
            return new Wait(SharedSignal.Create($"test-{Guid.NewGuid():N}", word));
        }

        internal void See() => Seen = Volatile.Read(ref *Signal.Word);

        internal void Wake()
        {
            Signal.Wake(Interlocked.Increment(ref *Signal.Word) - 1);
        }

        /// <summary>Ends it first, so that no thread looks at the word.</summary>
        internal void Free()
        {
            if (Calls > 0 && Ended == 0)
            {
                Most = 0;
                Wake();
                Eventually.True(() => Ended > 0, "the wait ends");
            }

            System.Runtime.InteropServices.NativeMemory.Free(Signal.Word);
            Signal.Dispose();
        }

        internal override bool GoesOn()
        {
            Volatile.Write(ref _calls, _calls + 1);
            uint now = Volatile.Read(ref *Signal.Word);
            int changes = _changes + (now == Seen ? 0 : 1);
            Seen = now;
            Volatile.Write(ref _changes, changes);
            if (changes < Most)
            {
                return true;
            }

            Volatile.Write(ref _ended, _ended + 1);
            return false;
        }
    }
}
