using Tarn.Tests.Support;

namespace Tarn.Tests.ArrayPool;

/// <summary>A rent that finds no array of its class takes a longer one where there are many, and not for ever.</summary>
public sealed class LongerArrayTests
{
    private const int Length = 1024;
    private const int Longer = 1280;
    private const int InARow = 8;

    private readonly BufferPool<byte> _pool = BufferPool<byte>.Create(new BufferPoolOptions
    {
        Checks = BufferChecks.None,
        Clock = new ManualClock().Trim,
    });

    /// <summary>The thread keeps some of the longer arrays, and the depot has the others.</summary>
    public LongerArrayTests()
    {
        Make(Longer, 64);
        Assert.True(_pool.Core.Find(_pool.Core.IndexOf(Longer))!.Depot.HasMany);
    }

    [Fact]
    public void Some_rents_in_a_row_take_longer_ones()
    {
        int[] lengths = [.. Enumerable.Range(0, InARow + 1).Select(_ => _pool.Rent(Length).Length)];

        Assert.Equal([.. Enumerable.Repeat(Longer, InARow), Length], lengths);
    }

    /// <summary>The longer one goes back to its own class, so each rent would find none.</summary>
    [Fact]
    public void A_thread_that_keeps_using_a_class_gets_an_array_of_it()
    {
        for (int rent = 0; rent < InARow; rent++)
        {
            _pool.Return(_pool.Rent(Length));
        }

        byte[] own = _pool.Rent(Length);
        _pool.Return(own);

        Assert.Equal(Length, own.Length);
        Assert.Same(own, _pool.Rent(Length));
    }

    [Fact]
    public void A_rent_that_finds_an_array_of_the_class_begins_a_new_count()
    {
        for (int rent = 0; rent < InARow; rent++)
        {
            Assert.Equal(Longer, _pool.Rent(Length).Length);
        }

        byte[] own = _pool.Rent(Length);
        _pool.Return(own);
        Assert.Same(own, _pool.Rent(Length));

        Assert.Equal(Longer, _pool.Rent(Length).Length);
    }

    [Fact]
    public void Where_few_longer_ones_are_left_a_rent_gets_an_array_of_the_class()
    {
        while (_pool.Core.Find(_pool.Core.IndexOf(Longer))!.Depot.HasMany)
        {
            _pool.Rent(Longer);
        }

        Assert.Equal(Length, _pool.Rent(Length).Length);
    }

    private void Make(int length, int count)
    {
        byte[][] arrays = [.. Enumerable.Range(0, count).Select(_ => _pool.Rent(length))];
        Array.ForEach(arrays, array => _pool.Return(array));
    }
}
