namespace Tarn;

/// <summary>The caches of one kind of all threads, each with the thread it belongs to.</summary>
/// <remarks>
/// Nothing runs when a thread ends. Its cache stays here until a new thread takes it over as it is (<see cref="Join"/>), or until
/// someone asks for what ended threads left (<see cref="Sweep"/>). All members are safe to call from any thread.
/// </remarks>
internal sealed class ThreadRegistry<TCache>(Func<TCache> create)
    where TCache : class
{
    /// <summary>
    /// A search for ended threads looks at this many members, however many there are, and at the one that joined last.
    /// </summary>
    private const int Looks = 2;

    private readonly List<Member> _members = [];

    /// <summary>Where the last look went.</summary>
    private int _hand;
    private Member? _last;

    /// <summary>
    /// Held while what ended threads left moves from their caches to where all threads share it: who sums both, or wants everything that
    /// is idle, holds it as well, or would miss what is on its way. Taken before <see cref="Sync"/> and any lock of a cache.
    /// </summary>
    internal Lock Inheritance { get; } = new();

    /// <summary>Guards the members; users also guard with it what other threads read of their caches.</summary>
    internal Lock Sync { get; } = new();

    /// <summary>A cache for this thread: that of a thread that ended, with all it holds, or else a new one.</summary>
    /// <remarks>
    /// A thread looks at a few members only, so joining costs the same however many threads there are. Threads that come and go one after
    /// the other take over from one another; where many do at once, the looks find an ended one about as often as there are such.
    /// </remarks>
    internal TCache Join()
    {
        lock (Sync)
        {
            Member? member = FindEnded();
            if (member is null)
            {
                member = new Member(create());
                _members.Add(member);
            }

            member.Owner = Thread.CurrentThread;
            _last = member;
            return member.Cache;
        }
    }

    /// <summary>Calls <paramref name="visit"/> with every cache, under <see cref="Sync"/>.</summary>
    internal void ForEach(Action<TCache> visit)
    {
        lock (Sync)
        {
            _members.ForEach(member => visit(member.Cache));
        }
    }

    /// <summary>Takes the caches of threads that ended out, and has <paramref name="inherit"/> give on what is in each.</summary>
    internal void Sweep(Action<TCache> inherit)
    {
        lock (Inheritance)
        {
            List<Member> ended = [];
            lock (Sync)
            {
                // Asked once each: a thread may end at any moment, and must be either left or inherited.
                _members.RemoveAll(member =>
                {
                    bool hasEnded = HasEnded(member);
                    if (hasEnded)
                    {
                        ended.Add(member);
                    }

                    return hasEnded;
                });
                _last = null;
            }

            ended.ForEach(member => inherit(member.Cache));
        }
    }

    /// <summary>
    /// Takes one cache of a thread that ended out, if one is found at a few looks, and has <paramref name="inherit"/> give on what is in
    /// it.
    /// </summary>
    internal bool SweepOne(Action<TCache> inherit)
    {
        if (!Inheritance.TryEnter())
        {
            return false;
        }

        try
        {
            Member? ended;
            lock (Sync)
            {
                ended = FindEnded();
                if (ended is null)
                {
                    return false;
                }

                _members.Remove(ended);
                _last = null;
            }

            inherit(ended.Cache);
            return true;
        }
        finally
        {
            Inheritance.Exit();
        }
    }

    private static bool HasEnded(Member member) => !member.Owner.IsAlive;

    private Member? FindEnded()
    {
        if (_last is not null && HasEnded(_last))
        {
            return _last;
        }

        for (int look = Math.Min(Looks, _members.Count); look > 0; look--)
        {
            _hand = _hand + 1 < _members.Count ? _hand + 1 : 0;
            if (HasEnded(_members[_hand]))
            {
                return _members[_hand];
            }
        }

        return null;
    }

    private sealed class Member(TCache cache)
    {
        internal TCache Cache { get; } = cache;

        internal Thread Owner { get; set; } = Thread.CurrentThread;
    }
}
