namespace Tarn.Tests.Primitives;

public sealed class PinCountTests
{
    [Fact]
    public void Unpinned_memory_goes_back_when_it_is_disposed()
    {
        PinCount pins = default;

        Assert.False(pins.IsDisposed);
        Assert.True(pins.Dispose());
        Assert.True(pins.IsDisposed);
        Assert.True(pins.IsOver);
    }

    [Fact]
    public void The_last_unpin_gives_disposed_memory_back()
    {
        PinCount pins = default;

        Assert.True(pins.TryPin());
        Assert.True(pins.TryPin());
        Assert.False(pins.Dispose());
        Assert.False(pins.Unpin());
        Assert.False(pins.IsOver);
        Assert.True(pins.Unpin());
        Assert.True(pins.IsOver);
    }

    [Fact]
    public void Disposed_memory_is_neither_pinned_nor_disposed_again()
    {
        PinCount pins = default;

        Assert.True(pins.TryDisposeUnpinned());
        Assert.False(pins.TryDisposeUnpinned());
        Assert.False(pins.Dispose());
        Assert.False(pins.TryPin());
    }

    [Fact]
    public void Pinned_memory_is_not_disposed_as_if_it_were_unpinned()
    {
        PinCount pins = default;

        Assert.True(pins.TryPin());
        Assert.False(pins.TryDisposeUnpinned());
        Assert.False(pins.Unpin());
        Assert.True(pins.TryDisposeUnpinned());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void An_unpin_too_many_throws_and_changes_nothing(bool isDisposed)
    {
        PinCount pins = default;
        if (isDisposed)
        {
            Assert.True(pins.Dispose());
        }

        Assert.Throws<InvalidOperationException>(() => pins.Unpin());
        Assert.Equal(isDisposed, pins.IsOver);
    }
}
