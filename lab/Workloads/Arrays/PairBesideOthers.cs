using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Arrays;

/// <summary>Rent and return one buffer beside others of its length that stay out, as those of open connections do.</summary>
internal readonly struct PairBesideOthers<TPool> : IWork
    where TPool : struct, IBytePool
{
    private const int Burst = 8;
    private const int BurstsBefore = 32;
    private const int Out = 2;

    private readonly TPool _pool;
    private readonly int _length;

    /// <summary>Never returned.</summary>
    private readonly byte[][] _out;

    public PairBesideOthers(TPool pool, int length)
    {
        _pool = pool;
        _length = length;

        // The thread has used several at once, so it may keep more than one.
        for (int i = 0; i < BurstsBefore; i++)
        {
            byte[][] burst = [.. Enumerable.Range(0, Burst).Select(_ => pool.Rent(length))];
            Array.ForEach(burst, array => pool.Return(array));
        }

        _out = [.. Enumerable.Range(0, Out).Select(_ => pool.Rent(length))];
    }

    public void Once()
    {
        _pool.Return(_pool.Rent(_length));
        GC.KeepAlive(_out);
    }
}
