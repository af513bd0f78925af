using System.Diagnostics;
using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Arrays;

/// <summary>A crew that runs a <see cref="MixedLoad"/>. An iteration is one buffer of each member that rents.</summary>
internal abstract class MixedLoadTrial<TPool> : Trial, IMixedLoadTrial
    where TPool : struct, IBytePool
{
    private readonly Crew _crew;
    private readonly Func<long> _readRetained;
    private readonly long[] _startedAt;
    private readonly long[] _endedAt;
    private int _missing;

    /// <param name="name">The pool's.</param>
    /// <param name="crew">As many as the load has threads.</param>
    /// <param name="load">The load on the pool.</param>
    /// <param name="readRetained">Returns the bytes the pool currently retains.</param>
    protected MixedLoadTrial(string name, Crew crew, MixedLoad load, Func<long> readRetained)
        : base(name, (double)load.Renting / (load.IsAllToAll ? Math.Min(load.Threads, Environment.ProcessorCount) : 1))
    {
        _crew = crew;
        _readRetained = readRetained;
        _startedAt = new long[crew.Size];
        _endedAt = new long[crew.Size];
    }

    /// <inheritdoc/>
    public abstract long RentedBytes { get; }

    /// <inheritdoc/>
    public long AllocatedBytes { get; private set; }

    /// <inheritdoc/>
    public abstract long PeakInFlightBytes { get; }

    /// <inheritdoc/>
    public long PeakRetainedBytes { get; private set; }

    /// <summary>The crew has more members than there are processors.</summary>
    protected bool IsCrowded => _crew.Size > Environment.ProcessorCount;

    /// <summary>Creates the trial that runs the load.</summary>
    public static MixedLoadTrial<TPool> Create(string name, Crew crew, TPool pool, MixedLoad load, Func<long> readRetained) =>
        load.IsAllToAll
            ? new ExchangeTrial<TPool>(name, crew, pool, load, readRetained)
            : new HandedOverTrial<TPool>(name, crew, pool, load, readRetained);

    public override double Run(int iterations)
    {
        Prepare();
        _missing = _crew.Size;
        long before = GC.GetTotalAllocatedBytes(precise: true);
        _crew.Run(member =>
        {
            AwaitAll();
            _startedAt[member] = Stopwatch.GetTimestamp();
            Work(member, iterations);
            _endedAt[member] = Stopwatch.GetTimestamp();
        });
        AllocatedBytes += GC.GetTotalAllocatedBytes(precise: true) - before;
        PeakRetainedBytes = Math.Max(PeakRetainedBytes, _readRetained());
        return Clock.Nanoseconds(_startedAt.Min(), _endedAt.Max());
    }

    /// <inheritdoc/>
    public void BeginCounting()
    {
        AllocatedBytes = 0;
        ForgetRented();
    }

    /// <summary>Before the members of the crew start.</summary>
    protected abstract void Prepare();

    /// <summary>The work of one member for this number of iterations.</summary>
    protected abstract void Work(int member, int items);

    /// <summary><see cref="RentedBytes"/> count from 0 again.</summary>
    protected abstract void ForgetRented();

    /// <summary>
    /// Waits until all members are awake before the clock starts, because on a busy machine waking takes longer than a short run.
    /// </summary>
    private void AwaitAll()
    {
        Interlocked.Decrement(ref _missing);
        while (Volatile.Read(ref _missing) > 0)
        {
            Thread.Yield();
        }
    }
}
