using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>
/// Every thread's sections of one kind (of array pools or of native heaps), through which a fast path finds its thread's buffers.
/// </summary>
/// <remarks>
/// <para>An owner (a pool or a heap) takes an index. Each thread that uses it has a <typeparamref name="TSection"/> for it, and the
/// thread's directory holds that section's address at the index. The fast path reads one thread-local word, the directory's address, and
/// the section's address there. These are words rather than references, because a thread-local reference takes three more dependent
/// loads.</para>
/// <para>A directory has <see cref="SlotCount"/> slots, so the fast path tests no length. Index 0 belongs to no owner: every directory
/// holds the empty section there, on which every call misses. An owner whose calls must all take the slow path uses it, and so does an
/// owner whose index is beyond the directory.</para>
/// <para>A section serves one owner for as long as it exists. When an owner retires (<see cref="Detach"/>), every directory holds the empty
/// section in its place before the index becomes free, so a call that still runs with the old index finds the empty section or the retired
/// one, never the next owner's.</para>
/// <para>Nothing runs when a thread ends. A new thread takes the sections over as they are, or <see cref="SweepEndedThreads"/> makes each
/// give up what it keeps. All members are safe to call from any thread.</para>
/// </remarks>
/// <typeparam name="TSection">The type of a thread's section for one owner.</typeparam>
/// <typeparam name="TWords">The thread-local words. They are static fields, so that each kind has its own at a fixed offset.</typeparam>
internal sealed unsafe class ThreadDirectory<TSection, TWords>
    where TSection : class, IThreadSection
    where TWords : struct, IThreadWords
{
    /// <summary>Owners with an index below this one have a place in the directories; all others use the slow path.</summary>
    internal const int SlotCount = 1024;

    /// <summary>The directories of threads to come, each with a word for its owner.</summary>
    private static readonly PinnedSpares<nint> s_directories = new(SlotCount + 1);

    private readonly FreeIndices _indices = new(first: 1);
    private readonly ThreadRegistry<Sections> _threads;
    private readonly nint _empty;

    /// <param name="empty">The address of the empty section, which belongs to no owner.</param>
    internal ThreadDirectory(nint empty)
    {
        _empty = empty;
        _threads = new ThreadRegistry<Sections>(() => new Sections(_empty));
    }

    /// <summary>
    /// Held while buffers of ended threads move to the shared tiers; see <see cref="ThreadRegistry{TCache}.Inheritance"/>.
    /// </summary>
    internal Lock Inheritance => _threads.Inheritance;

    /// <summary>This thread's sections, if it has joined.</summary>
    private static Sections? Mine => TWords.Directory != 0 ? Sections.At(TWords.Directory) : null;

    /// <summary>Returns the offset of an index's slot from the directory's address, or that of the empty slot.</summary>
    internal static nint OffsetOf(int index) => index < SlotCount ? index * sizeof(nint) : 0;

    /// <summary>Takes an index for a new owner; unique among the owners alive.</summary>
    internal int TakeIndex() => _indices.Take();

    /// <summary>Allocates the directories of threads to come.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory for all of them.</exception>
    internal static void Reserve(int count) => s_directories.Reserve(count);

    /// <summary>
    /// Returns this thread's section for the owner at <paramref name="index"/>, which may come from an ended thread; null when it has none.
    /// </summary>
    internal TSection? Find(int index) => (Mine ?? Join()).Find(index);

    /// <summary>Adds a section to this thread. The owner must make sure that it does not retire during the call.</summary>
    internal void Add(int index, TSection section)
    {
        Sections mine = Mine ?? Join();
        using (_threads.Sync.Hold())
        {
            // The addresses this thread remembers may point into sections that are kept only for that reason.
            TWords.Forget();
            mine.Set(index, section);
        }
    }

    /// <summary>Takes the sections of a retiring owner out of every thread's reach, then frees its index.</summary>
    internal void Detach(int index)
    {
        using (_threads.Sync.Hold())
        {
            _threads.ForEach(sections => sections.Retire(index, _empty));
        }

        _indices.GiveBack(index);
    }

    /// <summary>Makes the sections of ended threads give up what they keep.</summary>
    internal void SweepEndedThreads() => _threads.Sweep(Inherit);

    /// <summary>Looks for an ended thread and makes its sections give up what they keep; false when a few looks find none.</summary>
    internal bool SweepOne() => _threads.SweepOne(Inherit);

    /// <summary>
    /// Not a lambda: those of a class have a type initializer in common, and one that first runs where there is no memory fails for ever.
    /// </summary>
    private static void Inherit(Sections sections) => sections.Inherit();

    private Sections Join()
    {
        Sections mine = _threads.Join();
        TWords.Directory = mine.Address;
        return mine;
    }

    /// <summary>One thread's sections. Only that thread adds. Adding and retiring require the registry's lock.</summary>
    private sealed class Sections
    {
        private readonly nint[] _directory;

        /// <summary>
        /// Leads from the directory's address to this object, and keeps both alive until the thread has ended. A thread-local reference
        /// could do the same, but for it the runtime creates a table on each new thread.
        /// </summary>
        private readonly GCHandle<Sections> _handle;

        private TSection?[] _sections = new TSection?[8];

        /// <summary>Retired sections that this thread may still be about to touch.</summary>
        private List<TSection>? _retired;

        internal Sections(nint empty)
        {
            _directory = s_directories.Take();
            _directory.AsSpan().Fill(empty);
            _handle = new GCHandle<Sections>(this);
            _directory[SlotCount] = GCHandle<Sections>.ToIntPtr(_handle);
        }

        internal nint Address => (nint)Unsafe.AsPointer(ref MemoryMarshal.GetArrayDataReference(_directory));

        /// <summary>Returns the sections whose directory is at the address.</summary>
        internal static Sections At(nint address) => GCHandle<Sections>.FromIntPtr(((nint*)address)[SlotCount]).Target;

        internal TSection? Find(int index)
        {
            TSection?[] sections = Volatile.Read(ref _sections);
            return (uint)index < (uint)sections.Length ? Volatile.Read(ref sections[index]) : null;
        }

        internal void Set(int index, TSection section)
        {
            _retired = null;
            if (index >= _sections.Length)
            {
                TSection?[] larger = new TSection?[Math.Max(index + 1, _sections.Length * 2)];
                _sections.CopyTo(larger, 0);
                Volatile.Write(ref _sections, larger);
            }

            Volatile.Write(ref _sections[index], section);
            if (index < SlotCount)
            {
                Volatile.Write(ref _directory[index], section.Address);
            }
        }

        internal void Retire(int index, nint empty)
        {
            if (Find(index) is not { } section)
            {
                return;
            }

            (_retired ??= []).Add(section);
            Volatile.Write(ref _sections[index], null);
            if (index < SlotCount)
            {
                Volatile.Write(ref _directory[index], empty);
            }
        }

        /// <summary>Gives up what the sections keep, after the thread has ended and no other thread took them over.</summary>
        internal void Inherit()
        {
            _handle.Dispose();
            foreach (TSection? section in _sections)
            {
                try
                {
                    section?.OnThreadEnded();
                }
                catch (OutOfMemoryException)
                {
                    // Its owner still lists it, so ticks give up what it keeps. The sections behind it, and the threads that the same sweep
                    // removed from the registry, have nobody else who passes them on.
                }
            }
        }
    }
}

/// <summary>What one thread keeps for one owner.</summary>
internal interface IThreadSection
{
    /// <summary>The address that the fast path reads, fixed as long as the section exists.</summary>
    nint Address { get; }

    /// <summary>Moves what the section keeps to the shared tiers, after its thread has ended. Called once.</summary>
    void OnThreadEnded();
}

/// <summary>The thread-local words of one kind of section. Zero until a thread first takes the slow path.</summary>
internal interface IThreadWords
{
    /// <summary>The address of this thread's directory.</summary>
    static abstract nint Directory { get; set; }

    /// <summary>Drops the addresses of sections that the thread remembers outside its directory.</summary>
    static abstract void Forget();
}
