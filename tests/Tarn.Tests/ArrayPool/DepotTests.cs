namespace Tarn.Tests.ArrayPool;

/// <summary>The depot of a size class: its order, its places, and its information about visitors.</summary>
public class DepotTests
{
    private const int Length = 1024;
    private readonly PoolCore _core = new(new BufferPoolOptions { Name = "depot tests" }, elementSize: 1, eventId: 0);
    private readonly ArrayClass _class;

    public DepotTests() => _class = _core.ClassOf(_core.IndexOf(Length));

    [Fact]
    public void The_most_recently_returned_buffer_is_taken_first()
    {
        byte[][] buffers = [.. Enumerable.Range(0, 20).Select(static _ => new byte[Length])];
        foreach (byte[] buffer in buffers)
        {
            Assert.Equal(Placing.Kept, _class.Depot.TryPut(buffer, visitor: 1, out _));
            _class.Depot.Validate();
        }

        Assert.Equal(Placing.ReturnedTwice, _class.Depot.TryPut(buffers[^1], visitor: 1, out _));
        foreach (byte[] buffer in buffers.Reverse())
        {
            Assert.Same(buffer, _class.Depot.Take(visitor: 1, out _));
            _class.Depot.Validate();
        }

        Assert.Null(_class.Depot.Take(visitor: 1, out _));
    }

    [Fact]
    public void A_batch_is_taken_from_the_top_too()
    {
        byte[][] buffers = [.. Enumerable.Range(0, 5).Select(static _ => new byte[Length])];
        Put(buffers, room: 0);
        Assert.Same(buffers[4], _class.Depot.Take(visitor: 1, out _));
        Assert.Equal(Placing.Kept, _class.Depot.TryPut(buffers[4], visitor: 1, out _));

        ArrayReference[] taken = new ArrayReference[3];
        Assert.Equal(3, _class.Depot.Take(taken, visitor: 1, out _));

        Assert.Equal(buffers[2..], taken.Select(static item => item.Value));
        _class.Depot.Validate();
        Assert.Equal(2, _class.Depot.Count);
    }

    [Fact]
    public void Room_that_comes_with_buffers_goes_back_where_places_are_free()
    {
        Assert.True(_class.TryReserve(4));
        Put([.. Enumerable.Range(0, 4).Select(static _ => new byte[Length])], room: 4);
        for (int i = 0; i < 3; i++)
        {
            Assert.NotNull(_class.Depot.Take(visitor: 1, out _));
        }

        Assert.True(_class.TryReserve(5));
        Put([new byte[Length], new byte[Length], new byte[Length], new byte[Length]], room: 5);

        Assert.Equal(5, _class.Depot.Places);
        Assert.Equal(5 * _class.Bytes, _core.Budget.Granted);
        _class.Depot.Validate();
    }

    [Fact]
    public void A_visitor_is_alone_after_a_number_of_visits_in_a_row()
    {
        bool isAlone = false;
        for (int i = 0; i < 20; i++)
        {
            _class.Depot.Take(visitor: 1, out isAlone);
        }

        Assert.True(isAlone);
        _class.Depot.Take(visitor: 2, out isAlone);
        Assert.False(isAlone);
        _class.Depot.Take(visitor: 1, out isAlone);
        Assert.False(isAlone);
    }

    private void Put(byte[][] buffers, int room)
    {
        ArrayReference[] items = [.. buffers.Select(static buffer => new ArrayReference { Value = buffer })];
        Assert.Equal(Placing.Kept, _class.Depot.TryPut(items, visitor: 1, room));
        _class.Depot.Validate();
    }
}
