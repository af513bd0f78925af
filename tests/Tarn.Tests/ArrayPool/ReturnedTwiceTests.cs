using Tarn.Tests.Support;

namespace Tarn.Tests.ArrayPool;

public sealed class ReturnedTwiceTests
{
    private const int Small = 1000;
    private const int Large = 1 << 20;

    /// <summary>Threads keep no buffers of this length.</summary>
    private const int OnlyInDepot = 20 << 20;

    private readonly BufferPool<byte> _pool = BufferPool<byte>.Create();

    [Theory]
    [InlineData(Small)]
    [InlineData(Large)]
    public void An_exception_filter_may_use_the_pool(int length)
    {
        // Filters run while the frames below still exist: a lock held there would be taken twice.
        int rented = 0;
        Exception? thrown = null;
        byte[] array = Array.Empty<byte>();
        Thread returning = new(() =>
        {
            for (int i = 0; i < 10; i++)
            {
                _pool.Return(_pool.Rent(length));
            }

            array = _pool.Rent(length);
            _pool.Return(array);
            try
            {
                _pool.Return(array);
            }
            catch (InvalidOperationException exception) when (RentsMany())
            {
                thrown = exception;
            }
        })
        { IsBackground = true };

        bool RentsMany()
        {
            byte[][] buffers = [.. Enumerable.Range(0, 100).Select(_ => _pool.Rent(length))];
            rented = buffers.Length;
            Array.ForEach(buffers, buffer => _pool.Return(buffer));
            return true;
        }

        returning.Start();
        Assert.True(returning.Join(TimeSpan.FromSeconds(30)), "The filter waits for a lock that its own thread holds.");
        Assert.NotNull(thrown);
        Assert.Equal(100, rented);
        _pool.Core.Validate();
    }

    [Fact]
    public void An_exception_filter_may_use_the_pool_when_the_depot_has_the_buffer()
    {
        using Worker renter = new();
        using Worker returner = new();
        byte[][] rented = renter.Run(() => Enumerable.Range(0, 10).Select(_ => _pool.Rent(OnlyInDepot)).ToArray());
        Exception? thrown = returner.Run(() =>
        {
            Array.ForEach(rented, array => _pool.Return(array));
            try
            {
                _pool.Return(rented[^1]);
                return null;
            }
            catch (InvalidOperationException exception) when (_pool.Rent(OnlyInDepot).Length == OnlyInDepot)
            {
                return exception;
            }
        });

        Assert.NotNull(thrown);
        _pool.Core.Validate();
        Assert.Equal(9L * OnlyInDepot, _pool.GetStatistics().RetainedBytes);
    }

    /// <summary>
    /// However many buffers are out, and whichever slot each came from: the one returned last is the one that the next rent hands out, or
    /// the one after it.
    /// </summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void The_buffer_returned_last_is_refused_whatever_else_is_out(bool areForeign)
    {
        using Worker thread = new();
        using Worker other = new();
        byte[][] theirs = other.Run(() => Enumerable.Range(0, 15).Select(_ => _pool.Rent(Small)).ToArray());
        thread.Run(() =>
        {
            byte[][] warm = [.. Enumerable.Range(0, 16).Select(_ => _pool.Rent(Small))];
            Array.ForEach(warm, array => _pool.Return(array));
            byte[][] own = [.. Enumerable.Range(0, 16).Select(_ => _pool.Rent(Small))];
            foreach (byte[] array in areForeign ? theirs : own)
            {
                _pool.Return(array);
                Assert.Throws<InvalidOperationException>(() => _pool.Return(array));
                Assert.Throws<InvalidOperationException>(() => _pool.Return(array, clearArray: true));
            }

            _pool.Core.Validate();
            byte[][] again = [.. Enumerable.Range(0, 24).Select(_ => _pool.Rent(Small))];
            Assert.Equal(again.Length, again.Distinct().Count());
            return true;
        });
        Assert.Equal(0, _pool.GetStatistics().RetainedBytes);
    }
}
