namespace Tarn.Native;

/// <content>Creation, statistics and disposal.</content>
public sealed unsafe partial class NativeHeap
{
    /// <summary>The memory is the heap's. A release that failed for want of managed memory leads back here.</summary>
    private const int Held = 0;
    private const int Releasing = 1;
    private const int Released = 2;

    private readonly NativeHeapOptions _options;

    /// <summary>The offset of the heap's section in a thread's directory, in bytes, whether or not the fast paths may use it.</summary>
    private readonly nint _ownSlot;

    /// <summary>The checks in front of the engine; null when nothing is verified.</summary>
    private readonly CheckedBlocks? _checked;

    /// <summary>Held while the slots are set: a heap that ends while tracing changes must be left without slots.</summary>
    private readonly Lock _slotsLock = new();

    /// <summary>What the heap has taken from the budget of its options; null without one.</summary>
    private readonly BudgetAccount? _budget;

    private volatile bool _isTraced;

    /// <summary>Whether every member refuses: the heap's end has begun, though its memory may not have gone back yet.</summary>
    private volatile bool _isDisposed;

    /// <summary>How far the release is. The call that moves it from <see cref="Held"/> to <see cref="Releasing"/> releases.</summary>
    private int _release;
    private bool _wasFinalized;

    /// <summary>Creates a heap with default options.</summary>
    public NativeHeap()
        : this(new NativeHeapOptions())
    {
    }

    /// <summary>Creates a heap.</summary>
    /// <param name="options">The heap's options.</param>
    /// <exception cref="ArgumentNullException"><paramref name="options"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException">A setting is out of range; the message names it.</exception>
    /// <exception cref="PlatformNotSupportedException">The process is not a 64-bit process on Linux, macOS or Windows.</exception>
    public NativeHeap(NativeHeapOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Verify(nameof(options));
        _options = options;
        _budget = options.Budget is { } budget
            ? new BudgetAccount(budget, options.BudgetTimeout, new BudgetHolder(budget, nameof(NativeHeap)))
            : null;
        Name = options.Name.Length > 0 ? options.Name : nameof(NativeHeap);
        Checks = BufferChecksEnvironment.Resolve(options.Checks, nameof(options));
        _core = new HeapCore(options, Name, keepsBlocks: Checks == BufferChecks.None);
        _ownSlot = HeapThreads.None + ThreadDirectory<HeapSection, HeapThreads.Words>.OffsetOf(_core.Index);
        _bufferLeaks = new LeakSampling(Checks);
        _checked = Checks == BufferChecks.None ? null : new CheckedBlocks(new CheckedBlocksOptions
        {
            Name = Name,
            Checks = Checks,
            Source = new HeapBlockSource(_core, options.ClearOnFree),
            Memory = _core.Memory,
            Budget = _core.Budget,
            Clock = _core.Schedule.Clock,
            IdleTimeout = _core.Schedule.IdleTimeout,
        });
        SetSlots(isSampled: false);
        BufferSources.Add(this);
    }

    /// <summary>
    /// Returns the memory of an unreachable heap, unless blocks are still in use: their users may have kept only the blocks. Each
    /// collection tries again, because forgotten buffers and callers' finalizers may still free blocks.
    /// </summary>
    ~NativeHeap()
    {
        if (_core is null || Volatile.Read(ref _release) == Released || Finalization.TryPutOff(this, ref _wasFinalized))
        {
            return;
        }

        try
        {
            if (_checked is null)
            {
                ReleaseForgotten();
            }
            else
            {
                // Checks report what they find to event listeners, which are user code and must not run on this thread.
                BufferDiagnostics.RunLater(static heap => heap.ReleaseForgotten(), this);
            }
        }
        catch (OutOfMemoryException)
        {
            // An exception here would end the process: the next collection tries again.
            GC.ReRegisterForFinalize(this);
        }
    }

    /// <summary>The name in metrics, events and reports.</summary>
    public string Name { get; }

    /// <summary>The engine behind the fast path; for tests.</summary>
    internal HeapCore Core => _core;

    /// <summary>The bytes of raw memory in a checked heap's quarantine; for tests.</summary>
    internal long QuarantinedBytes => _checked?.RetainedBytes ?? 0;

    /// <summary>Whether the heap was disposed. Its blocks are then gone and must not be read.</summary>
    internal bool IsDisposed => _isDisposed;

    /// <summary>The checks that the heap makes, including those of the environment.</summary>
    internal BufferChecks Checks { get; }

    /// <summary>Whether the heap verifies anything.</summary>
    internal bool IsChecked => _checked is not null;

    /// <summary>Returns all idle memory to the operating system now, on all threads.</summary>
    /// <returns>
    /// The bytes decommitted. The memory of free blocks between blocks in use goes back too, but does not count, because its address space
    /// stays committed. A thread that does not call the heap again keeps one block of each size it used.
    /// </returns>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    public long Trim()
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        long before = _core.CommittedBytes;
        _checked?.Trim();
        _core.Trimmer.TrimAll();
        return Math.Max(0, before - _core.CommittedBytes);
    }

    /// <summary>Returns the heap's current counters; exact while no thread is in the middle of a call.</summary>
    /// <returns>The counters. They report nothing in use if <see cref="NativeHeapOptions.Statistics"/> is off.</returns>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    public NativeHeapStatistics GetStatistics()
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        HeapCount count = Count();
        bool counts = _options.Statistics;
        return new NativeHeapStatistics
        {
            InUseBytes = counts ? count.InUseBytes : 0,
            InUseBlocks = counts ? count.InUseBlocks : 0,
            RetainedBytes = count.RetainedBytes,
            CommittedBytes = count.CommittedBytes,
            ReservedBytes = count.ReservedBytes,
        };
    }

    /// <summary>
    /// Returns the counters of every size class that has blocks in use or kept, ordered by size; for tests. A heap with checks keeps no
    /// blocks by size and reports only blocks in use.
    /// </summary>
    internal IReadOnlyList<SizeClassCount> CountByClass()
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        return Count().Classes;
    }

    /// <summary>
    /// Frees every block of this heap at once, on all threads. The caller must make sure that no block is used any more. A second call does
    /// nothing. Every other member throws <see cref="ObjectDisposedException"/> from then on.
    /// </summary>
    /// <exception cref="InvalidOperationException">This is the shared heap.</exception>
    /// <exception cref="OutOfMemoryException">
    /// No managed memory is left for the release. The heap has ended, and its memory goes back with another call of this method, or when
    /// the garbage collector finds the heap.
    /// </exception>
    public void Dispose()
    {
        if (ReferenceEquals(this, Shared))
        {
            throw new InvalidOperationException("The shared heap belongs to the whole process and cannot be disposed.");
        }

        List<(nint Block, nuint Usable)> ended = ListForListeners();
        if (TryRelease())
        {
            ended.ForEach(one => TellFree((void*)one.Block, one.Usable));
            EndSamples();
            GC.SuppressFinalize(this);
        }
    }

    /// <summary>The blocks that end with the heap, if somebody listens: each of them was told as rented.</summary>
    private List<(nint Block, nuint Usable)> ListForListeners()
    {
        try
        {
            return !_isTraced || _isDisposed ? [] : _checked?.ListInUse() ?? BlocksInUse.List(_core);
        }
        catch (OutOfMemoryException)
        {
            // A disposal must not fail because of its listeners.
            return [];
        }
    }

    /// <inheritdoc/>
    BufferSourceSnapshot IBufferSource.GetSnapshot()
    {
        HeapCount count = Count();
        return new BufferSourceSnapshot
        {
            Name = Name,
            Kind = Kind,
            InUseBytes = count.InUseBytes,
            RetainedBytes = count.RetainedBytes,
            Rented = count.Rented,
            Returned = count.Rented - count.InUseBlocks,
            Allocated = count.Allocated,
            Id = EventHeap,
        };
    }

    /// <inheritdoc/>
    void IBufferSource.OnTracingChanged(bool everyBuffer)
    {
        _isTraced = everyBuffer;
        SetSlots(_isSampled);
    }

    /// <summary>Checks the structure behind the heap; for tests, while no other thread uses it.</summary>
    internal void Validate()
    {
        _checked?.Validate();
        _core.Validate();
    }

    private void SetSlots(bool isSampled)
    {
        using (_slotsLock.Hold())
        {
            bool isOpen = !_isTraced && !_isDisposed && _checked is null && _budget is null;
            Volatile.Write(ref _countedSlot, isOpen && isSampled ? _ownSlot : HeapThreads.None);
            Volatile.Write(ref _slot, isOpen && !isSampled ? _ownSlot : HeapThreads.None);
            Volatile.Write(ref _freeSlot, isOpen && !isSampled && !_options.ClearOnFree ? _ownSlot : HeapThreads.None);
        }
    }

    /// <summary>
    /// Returns the engine's counters. In a checked heap, blocks that callers hold count as in use, and the quarantine counts as retained.
    /// </summary>
    private HeapCount Count()
    {
        HeapCount count = _core.Count();
        return _checked is null ? count : count with
        {
            InUseBlocks = _checked.InUseBlocks,
            InUseBytes = _checked.InUseBytes,
            RetainedBytes = count.RetainedBytes + _checked.RetainedBytes,
            Classes = [.. _checked.CountInUseByClass().Index()
                .Where(static counted => counted.Item > 0)
                .Select(static counted => new SizeClassCount(BlockSizes.SizeOf(counted.Index), counted.Item, 0))],
        };
    }

    /// <summary>Releases the memory if nothing is in use, or the heap was disposed; otherwise leaves it to the next collection.</summary>
    private void ReleaseForgotten()
    {
        bool isReleased = false;
        try
        {
            isReleased = (_isDisposed || Count().InUseBlocks == 0) && TryRelease();
        }
#pragma warning disable CA1031 // here and on a thread of the pool an exception ends the process, whatever it says
        catch (Exception)
#pragma warning restore CA1031
        {
        }

        if (!isReleased)
        {
            GC.ReRegisterForFinalize(this);
        }
    }

    /// <summary>
    /// Ends the heap and returns its memory, once, whoever calls and how often: a second release would give back an index that another heap
    /// has taken meanwhile. False when another call has done so, or is about to.
    /// </summary>
    private bool TryRelease()
    {
        if (Interlocked.CompareExchange(ref _release, Releasing, Held) != Held)
        {
            return false;
        }

        bool isReleased = false;
        try
        {
            _isDisposed = true;
            _budget?.EndWaits();
            SetSlots(_isSampled);
            _checked?.ReleaseAll();
            _core.Retire();
            _budget?.ReturnAll();
            isReleased = true;
        }
        finally
        {
            Volatile.Write(ref _release, isReleased ? Released : Held);
        }

        return true;
    }
}
