using Tarn.Torture.Findings;

namespace Tarn.Torture.Storms;

/// <summary>A storm over streams of one kind, whose memory is theirs alone.</summary>
internal sealed class StreamStorm(PooledMemoryStreamOptions options, int threads, TimeSpan duration)
    : OwnershipStorm<StampedStream>(threads, duration)
{
    /// <inheritdoc/>
    protected override int MostAtOnce => 12;

    /// <inheritdoc/>
    protected override int MostWaiting => 20;

    /// <inheritdoc/>
    protected override StampedStream Take(Random random)
    {
        PooledMemoryStream stream = new(options, capacity: random.Next(4) == 0 ? Length(random) : 0);
        StampedStream stamped = new(stream);
        try
        {
            for (int i = random.Next(4); i >= 0; i--)
            {
                stamped.Append(Length(random), random);
            }
        }
        catch (OutOfMemoryException)
        {
            stamped.Verify();
            stream.Dispose();
            throw;
        }

        return stamped;
    }

    /// <inheritdoc/>
    protected override void GiveBack(StampedStream owned, Random random) => owned.Release(random);

    /// <inheritdoc/>
    protected override StampedStream Change(StampedStream owned, Random random)
    {
        try
        {
            switch (random.Next(4))
            {
                case 0:
                    owned.Truncate(Length(random));
                    break;
                case 1:
                    owned.Overwrite(random);
                    break;
                default:
                    owned.Append(Length(random), random);
                    break;
            }
        }
        finally
        {
            owned.Verify();
        }

        return owned;
    }

    /// <inheritdoc/>
    protected override void VerifyEnd()
    {
        Require.That(Operations > 0, "The storm made no stream.");
        Require.Eventually(static () => BackgroundClearing.WaitingBytes == 0, "the background clears all");
        if (options.Heap is { } heap)
        {
            Require.Equal(0, heap.GetStatistics().InUseBlocks, "Blocks in use when all streams are disposed");
            heap.Validate();
        }

        if (options.Pool is { } pool)
        {
            BufferPoolStatistics end = pool.GetStatistics();
            Require.Equal((0, end.Rented), (end.InUseBytes, end.Returned), "Bytes in use and buffers returned, of disposed streams");
            pool.Core.Validate();
        }
    }

    /// <summary>Mostly short, around the ends of segments, and now and then many segments.</summary>
    private static int Length(Random random) => random.Next(100) switch
    {
        < 50 => random.Next(1, 300),
        < 80 => random.Next(1, 5000),
        < 97 => (256 << random.Next(9)) + random.Next(-1, 2),
        _ => random.Next(1, 1 << 20),
    };
}
