using System.Collections.Concurrent;
using Tarn.Tests.Support;

namespace Tarn.Tests.Stress;

/// <summary>Threads that share buffers, pass slices to each other and misuse ended ones. Every slice's contents are verified.</summary>
public sealed class CountedSliceStressTests
{
    private const int MostPassed = 200;

    private readonly BufferPool<long> _pool = BufferPool<long>.Create(new BufferPoolOptions { Checks = BufferChecks.None });
    private readonly ConcurrentQueue<(CountedSlice<long> Slice, long Stamp)> _passed = new();
    private long _stamp;
    private long _rented;

    [Theory]
    [InlineData(2)]
    [InlineData(8)]
    public void Every_slice_sees_its_message_until_it_is_disposed(int threads)
    {
        StressThreads stress = new(threads, StressLength.Duration);
        stress.Run(Random.Shared.Next(), Live, [], VerifyEnd);

        void Live(Random random, int steps)
        {
            CountedSlice<long> ended = default;
            while (!stress.IsOver)
            {
                if (_passed.Count < MostPassed && random.Next(3) == 0)
                {
                    Send(random);
                }
                else if (_passed.TryDequeue(out (CountedSlice<long> Slice, long Stamp) received))
                {
                    Receive(random, received.Slice, received.Stamp);
                    ended = received.Slice;
                }

                Assert.Throws<ObjectDisposedException>(ended.Dispose);
            }
        }

        void VerifyEnd()
        {
            while (_passed.TryDequeue(out (CountedSlice<long> Slice, long Stamp) left))
            {
                left.Slice.Dispose();
            }

            Assert.Equal((_rented, 0L), (_pool.GetStatistics().Returned, _pool.GetStatistics().InUseBytes));
        }
    }

    private void Send(Random random)
    {
        long stamp = Interlocked.Increment(ref _stamp);
        using CountedBuffer<long> buffer = CountedBuffer<long>.Rent(_pool, 1 + random.Next(64));
        Interlocked.Increment(ref _rented);
        buffer.Span.Fill(stamp);
        for (int i = random.Next(8) == 0 ? random.Next(40) : random.Next(3); i > 0; i--)
        {
            CountedSlice<long> slice = buffer.Slice(random.Next(buffer.Length + 1));
            if (random.Next(4) == 0)
            {
                Verify(slice, stamp);
                slice.Dispose();
            }
            else
            {
                _passed.Enqueue((slice, stamp));
            }
        }
    }

    private void Receive(Random random, CountedSlice<long> slice, long stamp)
    {
        Verify(slice, stamp);
        if (random.Next(3) == 0)
        {
            _passed.Enqueue((slice.Slice(slice.Length / 2), stamp));
        }

        slice.Dispose();
    }

    private static void Verify(CountedSlice<long> slice, long stamp) =>
        Assert.Equal(-1, slice.Span.IndexOfAnyExcept(stamp));
}
