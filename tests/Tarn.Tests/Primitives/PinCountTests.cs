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

    [Fact]
    public void Memory_is_held_alone_only_while_nobody_has_or_disposes_it()
    {
        PinCount pins = default;

        Assert.True(pins.TryHoldAlone());
        Assert.False(pins.TryHoldAlone());
        Assert.False(pins.TryDisposeUnpinned());
        Assert.Throws<InvalidOperationException>(() => pins.Unpin());
        Assert.False(pins.EndAlone());

        Assert.True(pins.TryPin());
        Assert.False(pins.TryHoldAlone());
        Assert.False(pins.Unpin());

        Assert.True(pins.Dispose());
        Assert.False(pins.TryHoldAlone());
    }

    [Fact]
    public void Memory_that_is_disposed_while_it_is_held_goes_back_at_the_end_of_that()
    {
        PinCount pins = default;

        Assert.True(pins.TryHoldAlone());
        Assert.False(pins.Dispose());
        Assert.True(pins.IsDisposed);
        Assert.False(pins.IsOver);
        Assert.False(pins.Dispose());
        Assert.False(pins.TryPin());
        Assert.True(pins.EndAlone());
        Assert.True(pins.IsOver);
    }

    [Fact]
    public async Task A_pin_waits_while_memory_is_held_alone()
    {
        PinnedMemory memory = new();
        Assert.True(memory.Pins.TryHoldAlone());
        using ManualResetEventSlim begun = new();
        Task<bool> pin = Task.Run(() =>
        {
            begun.Set();
            return memory.Pins.TryPin();
        });

        begun.Wait();
        Thread.SpinWait(10_000);
        Assert.False(pin.IsCompleted);
        Assert.False(memory.Pins.EndAlone());
        Assert.True(await pin);
        Assert.False(memory.Pins.TryHoldAlone());
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

    private sealed class PinnedMemory
    {
#pragma warning disable CA1051 // a field of the owner, never copied
        internal PinCount Pins;
#pragma warning restore CA1051
    }

    [Fact]
    public void An_interrupt_does_not_end_the_wait_of_a_pin_and_stays_pending()
    {
        PinCount[] pins = new PinCount[1];
        Assert.True(pins[0].TryHoldAlone());
        bool isPinned = false;
        bool isPending = false;
        Thread pinning = new(() =>
        {
            Thread.CurrentThread.Interrupt();
            isPinned = pins[0].TryPin();
            try
            {
                Thread.Sleep(1);
            }
            catch (ThreadInterruptedException)
            {
                isPending = true;
            }
        });
        pinning.Start();
        Thread.Sleep(50);
        Assert.False(pins[0].EndAlone());
        pinning.Join();
        Assert.Equal((true, true), (isPinned, isPending));
    }
}
