using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>All threads' caches of one kind, each with its thread.</summary>
/// <remarks>
/// Nothing runs when a thread ends. Its cache stays here until a new thread takes it over as it is (<see cref="Join"/>), or until a sweep
/// collects what ended threads left (<see cref="Sweep"/>). All members are safe to call from any thread.
/// </remarks>
internal sealed class ThreadRegistry<TCache>(Func<TCache> create)
    where TCache : class
{
    /// <summary>
    /// The number of members that a search for ended threads examines, however many there are, besides the one that joined last.
    /// </summary>
    private const int Looks = 2;

    private readonly List<Member> _members = [];

    /// <summary>The index of the last member examined.</summary>
    private int _hand;
    private Member? _last;

    /// <summary>
    /// Held while buffers of ended threads move from their caches to the shared tiers. Code that sums both, or collects all idle memory,
    /// also holds it; otherwise it would miss buffers on the way. Taken before <see cref="Sync"/> and any lock of a cache.
    /// </summary>
    internal Lock Inheritance { get; } = new();

    /// <summary>Guards the members. Users also guard with it the parts of their caches that other threads read.</summary>
    internal Lock Sync { get; } = new();

    /// <summary>Returns a cache for this thread: that of an ended thread, with all its contents, or a new one.</summary>
    /// <remarks>
    /// A thread examines only a few members, so joining costs the same however many threads there are. Threads that come and go one after
    /// the other take over each other's caches. When many do so at once, the examination finds an ended thread about as often as there are
    /// ended threads.
    /// </remarks>
    internal TCache Join()
    {
        using (Sync.Hold())
        {
            Member? member = FindEnded();
            if (member is null)
            {
                // The room comes first: a cache that no list names is never passed on.
                _members.EnsureCapacity(_members.Count + 1);
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
        using (Sync.Hold())
        {
            _members.ForEach(member => visit(member.Cache));
        }
    }

    /// <summary>Removes the caches of ended threads, and calls <paramref name="inherit"/> to pass on the contents of each.</summary>
    internal void Sweep(Action<TCache> inherit)
    {
        using (Inheritance.Hold())
        {
            List<Member> ended;
            using (Sync.Hold())
            {
                // With room for all: an exception while members are removed would leave some of them twice, and lose others.
                ended = new List<Member>(_members.Count);

                // Test each thread once: a thread may end at any moment, and must be either left or inherited.
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
    /// Removes one cache of an ended thread, if a few looks find one, and calls <paramref name="inherit"/> to pass on its contents.
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
            using (Sync.Hold())
            {
                ended = FindEnded();
                if (ended is null)
                {
                    return false;
                }

                ListRoom.Remove(_members, ended);
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

    /// <summary>Whether a member's thread has ended, and everything that it wrote can be read.</summary>
    /// <remarks>
    /// The thread wrote to its cache with plain stores and executed no fence afterwards, and the memory model says nothing of the order in
    /// which other processors see these stores and the state that <see cref="Thread.IsAlive"/> reads. On x86 and x64, processors see all
    /// stores of a thread in their order. Elsewhere (Arm64), a process-wide barrier is the handshake: the ended thread performs a full
    /// fence too, after its last store, and what precedes both fences can be read after them. A thread ends once, so this takes place once
    /// for each.
    /// </remarks>
    private static bool HasEnded(Member member)
    {
        if (member.Owner.IsAlive)
        {
            return false;
        }

        // Not a question to the intrinsics, whose assembly may be loaded for nothing else: a heap sweeps when the system refuses memory.
        if (RuntimeInformation.ProcessArchitecture is not (Architecture.X64 or Architecture.X86))
        {
            Interlocked.MemoryBarrierProcessWide();
        }

        return true;
    }

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
