using System.Runtime.CompilerServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.Caching;

/// <summary>The directory of threads' sections: what a thread finds, what retirement takes away, and who takes over.</summary>
public sealed unsafe class ThreadDirectoryTests
{
    private static readonly Section s_empty = new();

    private readonly ThreadDirectory<Section, Words> _directory = new(s_empty.Address);

    [Fact]
    public void Indices_are_unique_and_the_smallest_free_one_is_taken_first()
    {
        int[] indices = [.. Enumerable.Range(0, 5).Select(_ => _directory.TakeIndex())];
        Assert.Equal([1, 2, 3, 4, 5], indices);
        _directory.Detach(4);
        _directory.Detach(2);

        Assert.Equal([2, 4, 6], [_directory.TakeIndex(), _directory.TakeIndex(), _directory.TakeIndex()]);
    }

    [Fact]
    public void A_thread_finds_its_own_section_and_its_directory_leads_there()
    {
        int index = _directory.TakeIndex();
        using Worker first = new();
        using Worker second = new();
        Section section = new();
        first.Run(() => Add(index, section));

        Assert.Same(section, first.Run(() => _directory.Find(index)));
        Assert.Equal(section.Address, first.Run(() => SlotAt(index)));
        Assert.Null(second.Run(() => _directory.Find(index)));
        Assert.Equal(s_empty.Address, second.Run(() => SlotAt(index)));
        Assert.Equal(s_empty.Address, first.Run(() => SlotAt(0)));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(8)]
    [InlineData(1023)]
    [InlineData(1024)]
    [InlineData(5000)]
    public void An_owner_beyond_the_slots_has_sections_and_no_fast_path(int index)
    {
        Section section = new();
        using Worker thread = new();
        thread.Run(() => Add(index, section));

        Assert.Same(section, thread.Run(() => _directory.Find(index)));
        bool hasSlot = index < ThreadDirectory<Section, Words>.SlotCount;
        Assert.Equal(hasSlot ? index * sizeof(nint) : 0, ThreadDirectory<Section, Words>.OffsetOf(index));
        Assert.Equal(hasSlot ? section.Address : s_empty.Address, thread.Run(() => SlotAt(index)));
    }

    [Fact]
    public void A_section_that_cannot_be_passed_on_holds_up_no_other()
    {
        Section[] sections = [new(), new() { IsRefused = true }, new(), new(), new() { IsRefused = true }, new()];
        int[] indices = [.. sections.Select(_ => _directory.TakeIndex())];
        using (Worker first = new(), second = new())
        {
            for (int i = 0; i < sections.Length; i++)
            {
                (i < sections.Length / 2 ? first : second).Run(() => Add(indices[i], sections[i]));
            }
        }

        _directory.SweepEndedThreads();
        Assert.All(sections, static section => Assert.Equal(1, section.Ends));
    }

    [Fact]
    public void A_retired_owners_sections_are_out_of_every_threads_reach_before_its_index_is_free()
    {
        int index = _directory.TakeIndex();
        using Worker first = new();
        using Worker second = new();
        first.Run(() => Add(index, new Section()));
        second.Run(() => Add(index, new Section()));
        _directory.Detach(index);

        Assert.Equal(index, _directory.TakeIndex());
        foreach (Worker thread in (Worker[])[first, second])
        {
            Assert.Null(thread.Run(() => _directory.Find(index)));
            Assert.Equal(s_empty.Address, thread.Run(() => SlotAt(index)));
        }
    }

    /// <summary>A call that began before may still touch it; the thread's next section comes when no such call runs any more.</summary>
    [Fact]
    public void A_retired_section_lives_until_its_thread_adds_another_and_forgets_addresses()
    {
        int index = _directory.TakeIndex();
        int other = _directory.TakeIndex();
        using Worker thread = new();
        WeakReference retired = thread.Run(() => AddNew(index));
        _directory.Detach(index);
        Eventually.Collect();
        Assert.True(retired.IsAlive);
        int forgotten = thread.Run(static () => Words.Forgotten);

        thread.Run(() => Add(other, new Section()));

        Assert.Equal(forgotten + 1, thread.Run(static () => Words.Forgotten));
        Eventually.TrueAfterCollections(() => !retired.IsAlive, "the retired section is collected");
    }

    [Fact]
    public void A_new_thread_takes_over_what_an_ended_one_left()
    {
        int index = _directory.TakeIndex();
        Section section = new();
        Worker.RunOnce(() => Add(index, section));
        using Worker next = new();

        Assert.Same(section, next.Run(() => _directory.Find(index)));
        Assert.Equal(section.Address, next.Run(() => SlotAt(index)));
        _directory.SweepEndedThreads();
        Assert.False(_directory.SweepOne());
        Assert.Equal(0, section.Ends);
    }

    [Fact]
    public void What_nobody_took_over_ends_once_and_a_retired_section_never()
    {
        int index = _directory.TakeIndex();
        int retired = _directory.TakeIndex();
        Section section = new();
        Section gone = new();
        Worker.RunOnce(() =>
        {
            Add(index, section);
            Add(retired, gone);
        });
        _directory.Detach(retired);

        _directory.SweepEndedThreads();
        _directory.SweepEndedThreads();

        Assert.Equal((1, 0), (section.Ends, gone.Ends));
        using Worker next = new();
        Assert.Null(next.Run(() => _directory.Find(index)));
    }

    [Fact]
    public void One_sweep_finds_one_ended_thread_at_a_time()
    {
        int index = _directory.TakeIndex();
        Section[] sections = [new(), new()];
        Worker[] threads = [new(), new()];
        foreach ((Worker thread, Section section) in threads.Zip(sections))
        {
            thread.Run(() => Add(index, section));
        }

        Assert.False(_directory.SweepOne());
        Array.ForEach(threads, static thread => thread.Dispose());

        Assert.True(_directory.SweepOne());
        Assert.Equal(1, sections.Sum(static section => section.Ends));
        Assert.True(_directory.SweepOne());
        Assert.All(sections, static section => Assert.Equal(1, section.Ends));
        Assert.False(_directory.SweepOne());
    }

    /// <summary>
    /// Threads come, go and take over while owners retire and others take their indices. A thread never finds another owner's section, and
    /// everything it wrote is there when it is taken over.
    /// </summary>
    [Fact]
    public void Threads_and_owners_that_come_and_go_never_mix()
    {
        ConcurrentStrangers strangers = new();
        long end = Environment.TickCount64 + (long)StressLength.Duration.TotalMilliseconds;
        Thread[] owners = [.. Enumerable.Range(0, 3).Select(_ => new Thread(() =>
        {
            do
            {
                object owner = new();
                int index = _directory.TakeIndex();
                using (Worker first = new())
                {
                    first.Run(() => Use(index, owner, strangers));
                }

                Worker.RunOnce(() => Use(index, owner, strangers));
                _directory.SweepOne();
                _directory.Detach(index);
            }
            while (Environment.TickCount64 < end && strangers.Count == 0);
        }))];
        Array.ForEach(owners, static owner => owner.Start());
        Array.ForEach(owners, static owner => owner.Join());
        Assert.Equal(0, strangers.Count);
    }

    private void Use(int index, object owner, ConcurrentStrangers strangers)
    {
        if (_directory.Find(index) is { } left)
        {
            strangers.CountUnless(left.Owner == owner && left.Written == left.WrittenToo);
            left.Write();
        }
        else
        {
            Section mine = new() { Owner = owner };
            Add(index, mine);
            mine.Write();
        }

        strangers.CountUnless(_directory.Find(index)?.Owner == owner);
    }

    private void Add(int index, Section section) => _directory.Add(index, section);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private WeakReference AddNew(int index)
    {
        Section section = new();
        Add(index, section);
        return new WeakReference(section);
    }

    /// <summary>The word at the index's offset in this thread's directory.</summary>
    private nint SlotAt(int index)
    {
        _ = _directory.Find(index);
        return *(nint*)(Words.Directory + ThreadDirectory<Section, Words>.OffsetOf(index));
    }

    private sealed class ConcurrentStrangers
    {
        private int _count;

        internal int Count => Volatile.Read(ref _count);

        internal void CountUnless(bool isKnown) => Interlocked.Add(ref _count, isKnown ? 0 : 1);
    }

    private sealed class Section : IThreadSection
    {
        private readonly long[] _memory = GC.AllocateArray<long>(1, pinned: true);

        public nint Address => (nint)Unsafe.AsPointer(ref _memory[0]);

        internal object? Owner { get; init; }

        internal int Ends { get; private set; }

        /// <summary>Written with plain stores, one after the other, as a cache's entries are.</summary>
        internal int Written { get; private set; }

        internal int WrittenToo { get; private set; }

        /// <summary>Whether there is no memory to pass on what it keeps.</summary>
        internal bool IsRefused { get; init; }

        public void OnThreadEnded()
        {
            Ends++;
            if (IsRefused)
            {
                throw new OutOfMemoryException("This was refused on purpose.");
            }
        }

        internal void Write()
        {
            Written++;
            WrittenToo++;
        }
    }

    /// <summary>The words of these tests' threads, which use one directory each: each test has threads of its own.</summary>
    private readonly struct Words : IThreadWords
    {
        [ThreadStatic]
        private static nint t_directory;

        [ThreadStatic]
        private static int t_forgotten;

        public static nint Directory
        {
            get => t_directory;
            set => t_directory = value;
        }

        internal static int Forgotten => t_forgotten;

        public static void Forget() => t_forgotten++;
    }
}
