namespace Tarn;

/// <summary>The caches of one kind of all threads, each with the thread it belongs to.</summary>
/// <remarks>
/// Nothing runs when a thread ends. Its cache stays here until a new thread takes it over as it is (<see cref="Join"/>), or until
/// someone asks for what ended threads left (<see cref="Sweep"/>). All members are safe to call from any thread.
/// </remarks>
internal sealed class ThreadRegistry<TCache>(Func<TCache> create)
    where TCache : class
{
    private readonly List<Member> _members = [];

    /// <summary>
    /// Held while what ended threads left moves from their caches to where all threads share it: who sums both, or wants everything that
    /// is idle, holds it as well, or would miss what is on its way. Taken before <see cref="Sync"/> and any lock of a cache.
    /// </summary>
    internal Lock Inheritance { get; } = new();

    /// <summary>Guards who is registered; users guard with it what other threads read of their caches.</summary>
    internal Lock Sync { get; } = new();

    /// <summary>A cache for this thread: that of a thread that ended, with all it holds, or else a new one.</summary>
    internal TCache Join()
    {
        lock (Sync)
        {
            Member? member = _members.Find(HasEnded);
            if (member is null)
            {
                member = new Member(create());
                _members.Add(member);
            }

            member.Owner = Thread.CurrentThread;
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
            List<Member> ended;
            lock (Sync)
            {
                ended = _members.FindAll(HasEnded);
                if (ended.Count == 0)
                {
                    return;
                }

                _members.RemoveAll(ended.Contains);
            }

            ended.ForEach(member => inherit(member.Cache));
        }
    }

    private static bool HasEnded(Member member) => !member.Owner.IsAlive;

    private sealed class Member(TCache cache)
    {
        internal TCache Cache { get; } = cache;

        internal Thread Owner { get; set; } = Thread.CurrentThread;
    }
}
