using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Arrays;

/// <summary>
/// Every member rents a buffer, writes its first and last byte, exchanges it for the one in a random place of a table shared by all
/// members, and returns that one, which is usually another member's.
/// </summary>
/// <remarks>
/// No member waits for another, so the time is the pool's except for one atomic exchange. With queues between eight threads on two
/// processors, waiting took four fifths of the time with every pool.
/// </remarks>
internal sealed class ExchangeTrial<TPool> : MixedLoadTrial<TPool>
    where TPool : struct, IBytePool
{
    private const int Lengths = 1 << 14;
    private const int PeakEvery = 1 << 10;

    /// <summary>References to a cache line: the places of a table do not share lines.</summary>
    private const int Stride = 8;

    private readonly byte[]?[] _table;
    private readonly int[][] _lengths;
    private readonly Member[] _members;
    private TPool _pool;

    /// <inheritdoc cref="MixedLoadTrial{TPool}(string, Crew, MixedLoad, Func{long})"/>
    public ExchangeTrial(string name, Crew crew, TPool pool, MixedLoad load, Func<long> readRetained)
        : base(name, crew, load, readRetained)
    {
        _pool = pool;
        _table = new byte[load.Threads * MixedLoad.MostOut * Stride][];
        _lengths = [.. Enumerable.Range(0, load.Threads).Select(number => load.Sizes.Take(Lengths, new Random(number)))];
        _members = [.. Enumerable.Range(0, load.Threads).Select(static number => new Member { Random = (uint)number + 1 })];
    }

    /// <inheritdoc/>
    public override long RentedBytes => _members.Sum(static member => member.RentedBytes);

    /// <inheritdoc/>
    public override long PeakInFlightBytes => _members.Max(static member => member.PeakBytes);

    /// <inheritdoc/>
    protected override void Prepare()
    {
    }

    /// <inheritdoc/>
    protected override void ForgetRented()
    {
        foreach (Member member in _members)
        {
            member.RentedBytes = 0;
        }
    }

    /// <inheritdoc/>
    protected override void Work(int member, int items)
    {
        Member own = _members[member];
        int[] lengths = _lengths[member];
        ref TPool pool = ref _pool;
        int places = _table.Length / Stride;
        long rented = 0;

        // In locals: the members' objects lie side by side.
        int rents = own.Rents;
        uint random = own.Random;
        for (int i = 0; i < items; i++)
        {
            byte[] buffer = pool.Rent(lengths[rents++ & (Lengths - 1)]);
            buffer[0] = (byte)i;
            buffer[^1] = (byte)i;
            rented += buffer.Length;
            random ^= random << 13;
            random ^= random >> 17;
            random ^= random << 5;
            int place = (int)((ulong)random * (uint)places >> 32) * Stride;
            if (Interlocked.Exchange(ref _table[place], buffer) is { } other)
            {
                if (other[0] != other[^1])
                {
                    throw new InvalidOperationException($"{Name}: a buffer arrived with someone else's contents.");
                }

                pool.Return(other);
            }

            if (i % PeakEvery == 0)
            {
                own.PeakBytes = Math.Max(own.PeakBytes, _table.Sum(static buffer => buffer?.LongLength ?? 0));
            }
        }

        own.Rents = rents;
        own.Random = random;
        own.RentedBytes += rented;
    }

    private sealed class Member
    {
        public int Rents { get; set; }

        public long RentedBytes { get; set; }

        public long PeakBytes { get; set; }

        public uint Random { get; set; }
    }
}
