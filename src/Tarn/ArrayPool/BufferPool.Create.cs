using System.Buffers;
using System.Runtime.CompilerServices;

namespace Tarn;

/// <content>Making pools, and their end.</content>
public sealed partial class BufferPool<T>
{
    private readonly BufferPoolOptions _options;
    private readonly string _name;
    private readonly RentLedger? _ledger;
    private readonly Quarantine<T>? _quarantine;

    /// <summary>Every call takes the slow path, whether or not anyone traces.</summary>
    private readonly bool _alwaysSlow;

    private volatile bool _traced;
    private PooledMemoryPool<T>? _memoryPool;

    private BufferPool(BufferPoolOptions options)
    {
        options.Verify(nameof(options));
        _options = options;
        _name = options.Name.Length > 0 ? options.Name : $"BufferPool<{typeof(T).Name}>";
        _core = new PoolCore(options, Unsafe.SizeOf<T>(), BufferSources.IdOf(this));
        _quarterMask = _core.QuarterMask;
        _id = _core.Id;

        BufferChecks checks = BufferChecksEnvironment.Resolve(options.Checks, nameof(options)) & ~BufferChecks.GuardPages;
        _ledger = RentLedger.Create(checks, _name);
        _quarantine = (checks & BufferChecks.UseAfterReturn) != 0 ? new Quarantine<T>(_core, _ledger!, IsAlwaysCleared) : null;
        _alwaysSlow = _ledger is not null || ClearsEveryReturn;
        SetGate(open: !_alwaysSlow);
        BufferSources.Add(this);
    }

    /// <summary>
    /// A pool that nobody refers to any more gives up what threads keep for it. Buffers still rented from it stay valid, and finalizers may
    /// still call it: every rent allocates from now on, and every return is dropped.
    /// </summary>
    ~BufferPool()
    {
        if (_core is null)
        {
            return;
        }

        SetGate(open: false);
        try
        {
            _core.Retire();
        }
        catch (OutOfMemoryException)
        {
            // An exception here ends the process. What threads keep for the pool stays until they end.
        }
    }

    /// <summary>A pool of its own, with default options.</summary>
    /// <returns>The pool. It needs no disposal: when nobody refers to it any more, what it keeps is collected.</returns>
    public static new BufferPool<T> Create() => Create(new BufferPoolOptions());

    /// <summary>A pool of its own with the two limits of <see cref="ArrayPool{T}.Create(int, int)"/>.</summary>
    /// <param name="maxArrayLength">
    /// Longer requests (in elements) are allocated, and dropped when they come back; more than 2^30 counts as 2^30.
    /// </param>
    /// <param name="maxArraysPerBucket">The most idle arrays of one length to keep, thread caches counted.</param>
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

    /// <summary>A pool of its own.</summary>
    /// <param name="options">How it behaves.</param>
    /// <returns>The pool. It needs no disposal: when nobody refers to it any more, what it keeps is collected.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="options"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException">A setting is out of its range; the message names it.</exception>
    public static BufferPool<T> Create(BufferPoolOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        return new BufferPool<T>(options);
    }

    /// <summary>The structure behind the fast path, for tests.</summary>
    internal PoolCore Core => _core;
}
