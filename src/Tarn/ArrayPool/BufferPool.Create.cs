using System.Buffers;
using System.Runtime.CompilerServices;

namespace Tarn;

/// <content>The creation of pools, and their end.</content>
public sealed partial class BufferPool<T>
{
    private readonly BufferPoolOptions _options;
    private readonly string _name;
    private readonly RentLedger? _ledger;
    private readonly BudgetAccount? _budget;
    private readonly Quarantine<T>? _quarantine;
    private readonly UnloadedPool? _unloading;

    /// <summary>Whether every call takes the slow path, even while no listener traces the pool.</summary>
    private readonly bool _alwaysSlow;

    private volatile bool _traced;
    private volatile bool _isRetired;
    private PooledMemoryPool<T>? _memoryPool;

    private BufferPool(BufferPoolOptions options)
    {
        options.Verify(nameof(options));
        if (options.Pinned)
        {
            PoolThreads.Reserve();
        }

        _options = options;
        _name = options.Name.Length > 0 ? options.Name : $"BufferPool<{typeof(T).Name}>";
        Checks = BufferChecksEnvironment.Resolve(options.Checks, nameof(options)) & ~BufferChecks.GuardPages;
        _ledger = RentLedger.Create(Checks, _name);
        _budget = options.Budget is { } budget ? new BudgetAccount(budget, options.BudgetTimeout) : null;

        // A thread's cache keeps references to buffers in use. They would keep a lost buffer alive, and the checks would not see the loss.
        bool hasThreadCaches = options.ThreadCaches && _ledger is null;
        _core = new PoolCore(options, Unsafe.SizeOf<T>(), BufferSources.IdOf(this), hasThreadCaches);
        _quarterMask = _core.QuarterMask;
        _id = _core.Id;
        _quarantine = (Checks & BufferChecks.UseAfterReturn) != 0 ? new Quarantine<T>(_core, _ledger!, IsAlwaysCleared) : null;
        _alwaysSlow = _ledger is not null || ClearsEveryReturn || _budget is not null;
        SetGate();
        BufferSources.Add(this);
        _unloading = UnloadedPool.Watch(_core, typeof(T));
    }

    /// <summary>
    /// Gives up the buffers that threads keep for an unreachable pool. Buffers still rented from it stay valid, and finalizers may still
    /// call it: from now on every rent allocates, and every return drops its buffer.
    /// </summary>
    ~BufferPool()
    {
        if (_core is null)
        {
            return;
        }

        _isRetired = true;
        SetGate();
        try
        {
            _unloading?.Forget();
            _core.Retire();
        }
#pragma warning disable CA1031 // an exception here would end the process, whatever it says
        catch (Exception)
#pragma warning restore CA1031
        {
            // The next collection goes on.
            GC.ReRegisterForFinalize(this);
        }
    }

    /// <summary>The checks that this pool makes, whether its options or the environment asked for them.</summary>
    public BufferChecks Checks { get; }

    /// <summary>Creates a pool with default options.</summary>
    /// <returns>The pool. It needs no disposal: once it is unreachable, its idle buffers are collected.</returns>
    public static new BufferPool<T> Create() => Create(new BufferPoolOptions());

    /// <summary>Creates a pool with the two limits of <see cref="ArrayPool{T}.Create(int, int)"/>.</summary>
    /// <param name="maxArrayLength">
    /// The greatest length the pool keeps, in elements. The pool allocates longer arrays on request and drops them when they are returned.
    /// A value above 2^30 counts as 2^30.
    /// </param>
    /// <param name="maxArraysPerBucket">The most idle arrays of one length to keep, including those in thread caches.</param>
    /// <returns>The pool.</returns>
    /// <exception cref="ArgumentOutOfRangeException">A limit is zero or negative.</exception>
    public static new BufferPool<T> Create(int maxArrayLength, int maxArraysPerBucket)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(maxArrayLength);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(maxArraysPerBucket);
        return new BufferPool<T>(new BufferPoolOptions
        {
            MaxArrayLength = Math.Min(maxArrayLength, SizeClass.MaxLength),
            MaxArraysPerLength = maxArraysPerBucket,
        });
    }

    /// <summary>Creates a pool.</summary>
    /// <param name="options">The options of the pool.</param>
    /// <returns>The pool. It needs no disposal: once it is unreachable, its idle buffers are collected.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="options"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException">A setting is out of range; the message names it.</exception>
    public static BufferPool<T> Create(BufferPoolOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        return new BufferPool<T>(options);
    }

    /// <summary>Whether arrays never move.</summary>
    internal bool IsPinned => _options.Pinned;

    /// <summary>The least length of an array that a rent of <paramref name="length"/> elements hands out.</summary>
    internal int LengthOfRent(int length) =>
        length == 0 || length > _core.MaxLength ? length : _core.LengthOf(_core.IndexOf(length));

    /// <summary>The ledger of a pool with checks; null without checks.</summary>
    internal RentLedger? Ledger => _ledger;

    /// <summary>The structure behind the fast path. For tests.</summary>
    internal PoolCore Core => _core;
}
