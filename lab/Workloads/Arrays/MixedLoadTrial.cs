using System.Diagnostics;
using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Arrays;

/// <summary>
/// A crew that runs a <see cref="MixedLoad"/>: the first members rent, write the first and the last byte and send each buffer to one of the
/// members that return, any of them as likely as any other. An iteration is one buffer of each member that rents.
/// </summary>
/// <remarks>All pools are sent through the same lanes and asked for the same lengths, so what these cost is the same for each.</remarks>
internal sealed class MixedLoadTrial<TPool> : Trial, IMixedLoadTrial
    where TPool : struct, IBytePool
{
    private readonly Crew _crew;
    private readonly MixedLoad _load;
    private readonly MixedLoadRenter[] _renters;
    private readonly Lane[][] _inboxes;
    private readonly Func<long> _readRetained;
    private TPool _pool;
    private readonly long[] _startedAt;
    private readonly long[] _endedAt;
    private int _rentersLeft;
    private int _missing;

    /// <param name="name">The pool's.</param>
    /// <param name="crew">As many as the load has threads.</param>
    /// <param name="pool">The pool.</param>
    /// <param name="load">What is done with it.</param>
    /// <param name="readRetained">What the pool retains now.</param>
    public MixedLoadTrial(string name, Crew crew, TPool pool, MixedLoad load, Func<long> readRetained)
        : base(name, (double)load.Renting / (load.IsAllToAll ? Math.Min(load.Threads, Environment.ProcessorCount) : 1))
    {
        _crew = crew;
        _pool = pool;
        _load = load;
        _readRetained = readRetained;
        _startedAt = new long[crew.Size];
        _endedAt = new long[crew.Size];
        _renters = [.. Enumerable.Range(0, load.Renting).Select(number => new MixedLoadRenter(load, number))];
        _inboxes = [.. Enumerable.Range(0, load.Returning).Select(to => _renters.Select(renter => renter.Lanes[to]).ToArray())];
    }

    /// <inheritdoc/>
    public long RentedBytes => _renters.Sum(renter => renter.RentedBytes);

    /// <inheritdoc/>
    public long AllocatedBytes { get; private set; }

    /// <inheritdoc/>
    public long PeakInFlightBytes => _renters.Sum(renter => renter.PeakBytes);

    /// <inheritdoc/>
    public long PeakRetainedBytes { get; private set; }

    public override double Run(int iterations)
    {
        _rentersLeft = _load.Renting;
        _missing = _crew.Size;
        long before = GC.GetTotalAllocatedBytes();
        _crew.Run(member =>
        {
            AwaitAll();
            _startedAt[member] = Stopwatch.GetTimestamp();
            Work(member, iterations);
            _endedAt[member] = Stopwatch.GetTimestamp();
        });
        AllocatedBytes += GC.GetTotalAllocatedBytes() - before;
        PeakRetainedBytes = Math.Max(PeakRetainedBytes, _readRetained());
        return Clock.Nanoseconds(_startedAt.Min(), _endedAt.Max());
    }

    /// <summary>The clock runs once all are awake: on a busy machine waking takes longer than a short run.</summary>
    private void AwaitAll()
    {
        Interlocked.Decrement(ref _missing);
        while (Volatile.Read(ref _missing) > 0)
        {
            Thread.Yield();
        }
    }

    /// <inheritdoc/>
    public void BeginCounting()
    {
        AllocatedBytes = 0;
        foreach (MixedLoadRenter renter in _renters)
        {
            renter.RentedBytes = 0;
        }
    }

    private void Work(int member, int items)
    {
        MixedLoadRenter? renter = member < _load.Renting ? _renters[member] : null;
        int returner = _load.IsAllToAll ? member : member - _load.Renting;
        Lane[] inbox = returner >= 0 ? _inboxes[returner] : [];
        int left = renter is null ? 0 : items;
        SpinWait wait = default;
        while (left > 0 || IsMoreToCome(inbox))
        {
            int moved = ReturnAll(inbox);
            if (left > 0)
            {
                int rented = RentSome(renter!, left);
                moved += rented;
                left -= rented;
                if (left == 0)
                {
                    Interlocked.Decrement(ref _rentersLeft);
                }
            }

            if (moved > 0)
            {
                wait = default;
            }
            else
            {
                Wait(ref wait);
            }
        }
    }

    /// <summary>
    /// Waiting yields but never sleeps; with more threads than processors, spinning would keep others from what is waited for.
    /// </summary>
    private void Wait(ref SpinWait wait)
    {
        if (_crew.Size > Environment.ProcessorCount)
        {
            Thread.Yield();
        }
        else
        {
            wait.SpinOnce(sleep1Threshold: -1);
        }
    }

    private bool IsMoreToCome(Lane[] inbox)
    {
        if (inbox.Length == 0)
        {
            return false;
        }

        if (Volatile.Read(ref _rentersLeft) > 0)
        {
            return true;
        }

        foreach (Lane lane in inbox)
        {
            if (lane.Count > 0)
            {
                return true;
            }
        }

        return false;
    }

    private int RentSome(MixedLoadRenter renter, int most)
    {
        ref TPool pool = ref _pool;
        int count = Math.Min(renter.Room, most);
        for (int i = 0; i < count; i++)
        {
            byte[] buffer = pool.Rent(renter.NextLength());
            renter.Send(buffer);
        }

        return count;
    }

    private int ReturnAll(Lane[] inbox)
    {
        ref TPool pool = ref _pool;
        int returned = 0;
        foreach (Lane lane in inbox)
        {
            for (int count = lane.Count; count > 0; count--)
            {
                byte[] buffer = lane.Peek();
                if (buffer[0] != buffer[^1])
                {
                    throw new InvalidOperationException($"{Name}: a buffer arrived with someone else's contents.");
                }

                pool.Return(buffer);
                lane.NoteReturned();
                returned++;
            }
        }

        return returned;
    }
}
