namespace Tarn.Tests.Primitives;

public sealed class ShortLockTests
{
    [Fact]
    public void One_thread_at_a_time_has_the_lock_however_many_there_are()
    {
        const int Times = 100_000;
        Guarded guarded = new();
        Thread[] threads = [.. Enumerable.Range(0, 4).Select(_ => new Thread(() =>
        {
            for (int i = 0; i < Times; i++)
            {
                guarded.Add();
            }
        }))];

        Array.ForEach(threads, static thread => thread.Start());
        Array.ForEach(threads, static thread => thread.Join());

        Assert.Equal((threads.Length * Times, 0), (guarded.Count, guarded.Intrusions));
    }

    [Fact]
    public void A_thread_waits_for_as_long_as_another_has_the_lock()
    {
        Guarded guarded = new();
        guarded.Enter();
        Thread other = new(guarded.Add);
        other.Start();
        Assert.False(other.Join(millisecondsTimeout: 50));

        guarded.Exit();

        other.Join();
        Assert.Equal(1, guarded.Count);
    }

    private sealed class Guarded
    {
        private ShortLock _lock;
        private int _inside;

        public int Count { get; private set; }

        public int Intrusions { get; private set; }

        public void Enter() => _lock.Enter();

        public void Exit() => _lock.Exit();

        public void Add()
        {
            _lock.Enter();
            Intrusions += Interlocked.Increment(ref _inside) == 1 ? 0 : 1;
            Count++;
            Interlocked.Decrement(ref _inside);
            _lock.Exit();
        }
    }
}
