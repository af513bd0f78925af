using System.Threading.Channels;
using Tarn.Tests.Model;
using Tarn.Tests.Support;

namespace Tarn.Tests.Stress;

/// <summary>Threads that run freely, rent for each other and change their roles. The retained memory stays bounded.</summary>
/// <remarks>
/// The model's lock is taken before a rent and after a return, so it sees at least the memory in use: bounds derived from it hold whatever
/// the scheduler does.
/// </remarks>
public sealed class LoadStressTests
{
    private const int MostOut = 64;

    private readonly ManualClock _clock = new(followsCollections: false);
    private readonly LoadModel _model = new();
    private readonly Channel<StampedBuffer> _out = Channel.CreateBounded<StampedBuffer>(MostOut);

    [Theory]
    [InlineData(2, 1L << 32)]
    [InlineData(8, 1L << 32)]
    [InlineData(2, 8L << 20)]
    [InlineData(8, 8L << 20)]
    public void The_bytes_in_use_bound_the_bytes_retained(int threads, long cap)
    {
        BufferPool<long> pool = BufferPool<long>.Create(new BufferPoolOptions
        {
            MaxRetainedBytes = cap,
            Checks = BufferChecks.None,
            Clock = _clock.Trim,
        });
        StressThreads stress = new(threads, StressLength.Duration / 4);
        stress.Run(Random.Shared.Next(), Live, [() => Assert.InRange(pool.GetStatistics().RetainedBytes, 0, cap)], VerifyEnd);

        void Live(Random random, int steps)
        {
            // A thread of the stress lives until the end. Another test covers the caches of dead threads.
            lock (_model)
            {
                _model.AddThread();
            }

            while (!stress.IsOver)
            {
                bool rents = random.Next(2) == 0;
                for (int step = random.Next(1000); step > 0; step--)
                {
                    bool renting = random.Next(8) == 0 ? !rents : rents;
                    if (!(renting ? TryRent(pool, random) : TryReturn(pool)))
                    {
                        Thread.Yield();
                        break;
                    }
                }
            }
        }

        void VerifyEnd()
        {
            _model.AddThread();
            while (TryReturn(pool))
            {
            }

            BufferPoolStatistics end = pool.GetStatistics();
            Assert.Equal((0, end.Rented), (end.InUseBytes, end.Returned));
            Assert.True(
                end.RetainedBytes <= _model.Bound,
                $"{end.RetainedBytes:N0} bytes are retained, at most {_model.Bound:N0} may be: {_model.NeededBytes:N0} were "
                + "needed.");
            pool.Core.Validate();
        }
    }

    private bool TryRent(BufferPool<long> pool, Random random)
    {
        if (_out.Reader.Count >= MostOut / 2)
        {
            return false;
        }

        // Lengths of classes, so that the model knows before the pool does.
        int length = (8 << random.Next(10)) * random.Next(4, 8);
        lock (_model)
        {
            _model.NoteRent(length * sizeof(long), isNew: false);
        }

        StampedBuffer buffer = StampedBuffer.Rent(pool, length, exact: false);
        int given = buffer.Array.Length;
        Assert.InRange(given, length, 2 * length);
        if (given != length)
        {
            // A pool may hand out a longer one.
            lock (_model)
            {
                _model.NoteReturn(length * sizeof(long));
                _model.NoteRent(given * sizeof(long), isNew: false);
            }
        }

        if (!_out.Writer.TryWrite(buffer))
        {
            Return(pool, buffer);
        }

        return true;
    }

    private bool TryReturn(BufferPool<long> pool)
    {
        if (!_out.Reader.TryRead(out StampedBuffer buffer))
        {
            return false;
        }

        Return(pool, buffer);
        return true;
    }

    private void Return(BufferPool<long> pool, StampedBuffer buffer)
    {
        int length = buffer.Array.Length;
        buffer.Return(pool, clear: false);
        lock (_model)
        {
            _model.NoteReturn(length * sizeof(long));
        }
    }
}
