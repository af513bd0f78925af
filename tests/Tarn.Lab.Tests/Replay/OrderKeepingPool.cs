using System.Collections.Concurrent;
using Tarn.Lab.Contenders.Arrays;

namespace Tarn.Lab.Tests.Replay;

/// <summary>A pool that allocates and records the calls of each thread. It refuses arrays that were not rented.</summary>
internal readonly struct OrderKeepingPool(OrderKeepingPool.Log log) : IBytePool
{
    public byte[] Rent(int length)
    {
        var array = new byte[length];
        Assert.True(log.Open.TryAdd(array, Environment.CurrentManagedThreadId));
        log.Did(length);
        return array;
    }

    public void Return(byte[] array)
    {
        Assert.True(log.Open.TryRemove(array, out int renter));
        if (renter != Environment.CurrentManagedThreadId)
        {
            log.HandedOver();
        }
        else
        {
            log.Did(-array.Length);
        }
    }

    internal sealed class Log
    {
        private readonly ConcurrentDictionary<int, List<int>> _byThread = [];
        private int _handedOver;

        public ConcurrentDictionary<byte[], int> Open { get; } = [];

        public int HandedOverCount => _handedOver;

        /// <summary>The calls of each thread: rents positive, and returns of its own buffers negative.</summary>
        public IEnumerable<List<int>> ByThread => _byThread.Values;

        public void HandedOver() => Interlocked.Increment(ref _handedOver);

        public void Did(int what) => _byThread.GetOrAdd(Environment.CurrentManagedThreadId, _ => []).Add(what);
    }
}
