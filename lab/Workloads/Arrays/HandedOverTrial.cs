using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Arrays;

/// <summary>
/// One member rents buffers, writes the first and the last byte, and sends each to a returning member, all of which are equally likely.
/// </summary>
/// <remarks>All pools are sent through the same lanes and asked for the same lengths, so what these cost is the same for each.</remarks>
internal sealed class HandedOverTrial<TPool> : MixedLoadTrial<TPool>
    where TPool : struct, IBytePool
{
    private readonly MixedLoad _load;
    private readonly MixedLoadRenter[] _renters;
    private readonly Lane[][] _inboxes;
    private TPool _pool;
    private int _rentersLeft;

    /// <inheritdoc cref="MixedLoadTrial{TPool}(string, Crew, MixedLoad, Func{long})"/>
    public HandedOverTrial(string name, Crew crew, TPool pool, MixedLoad load, Func<long> readRetained)
        : base(name, crew, load, readRetained)
    {
        _pool = pool;
        _load = load;
        _renters = [.. Enumerable.Range(0, load.Renting).Select(number => new MixedLoadRenter(load, number))];
        _inboxes = [.. Enumerable.Range(0, load.Returning).Select(to => _renters.Select(renter => renter.Lanes[to]).ToArray())];
    }

    /// <inheritdoc/>
    public override long RentedBytes => _renters.Sum(renter => renter.RentedBytes);

    /// <inheritdoc/>
    public override long PeakInFlightBytes => _renters.Sum(renter => renter.PeakBytes);

    /// <inheritdoc/>
    protected override void Prepare() => _rentersLeft = _load.Renting;

    /// <inheritdoc/>
    protected override void ForgetRented()
    {
        foreach (MixedLoadRenter renter in _renters)
        {
            renter.RentedBytes = 0;
        }
    }

    /// <inheritdoc/>
    protected override void Work(int member, int items)
    {
        MixedLoadRenter? renter = member < _load.Renting ? _renters[member] : null;
        int returner = member - _load.Renting;
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
    /// Waiting yields but never sleeps. With more threads than processors, spinning would delay the thread that the waiter needs.
    /// </summary>
    private void Wait(ref SpinWait wait)
    {
        if (IsCrowded)
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
