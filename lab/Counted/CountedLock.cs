namespace Tarn.Lab.Counted;

/// <summary>A lock that counts who takes it, behind both kinds of lock of the library.</summary>
internal sealed class CountedLock
{
    private static readonly List<WeakReference<CountedLock>> s_all = [];

    private readonly string _place;
    private readonly object _lock = new();
    private int _lastHolder;
    private long _taken;

    /// <param name="place">The file that holds it.</param>
    internal CountedLock(string place)
    {
        _place = place;
        lock (s_all)
        {
            s_all.Add(new WeakReference<CountedLock>(this));
        }
    }

    internal bool IsHeldByCurrentThread => Monitor.IsEntered(_lock);

    internal static void RestartAll()
    {
        foreach (CountedLock one in Alive())
        {
            one._taken = 0;
        }
    }

    /// <summary>Returns for every place how often its busiest lock was taken.</summary>
    internal static IEnumerable<(string Place, long Most)> BusiestByPlace() =>
        Alive().GroupBy(static one => one._place, static (place, locks) => (place, locks.Max(static one => one._taken)));

    internal void Enter()
    {
        bool isContended = !Monitor.TryEnter(_lock);
        if (isContended)
        {
            Monitor.Enter(_lock);
        }

        Note(isContended);
    }

    internal bool TryEnter()
    {
        bool isTaken = Monitor.TryEnter(_lock);
        if (isTaken)
        {
            Note(isContended: false);
        }

        return isTaken;
    }

    internal void Exit() => Monitor.Exit(_lock);

    /// <summary>Under the lock.</summary>
    private void Note(bool isContended)
    {
        int me = Environment.CurrentManagedThreadId;
        Counts.NoteLock(_place, _lastHolder != 0 && _lastHolder != me, isContended);
        _lastHolder = me;
        _taken++;
    }

    private static List<CountedLock> Alive()
    {
        lock (s_all)
        {
            s_all.RemoveAll(static one => !one.TryGetTarget(out _));
            return [.. s_all.Select(static one => one.TryGetTarget(out CountedLock? alive) ? alive : null).OfType<CountedLock>()];
        }
    }
}
