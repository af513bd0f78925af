using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Tarn.Tests.Support;

namespace Tarn.Tests.Contracts;

/// <summary>
/// The guarantees for code that takes an <see cref="ArrayPool{T}"/>. A subclass names the pool and its intended differences.
/// </summary>
public abstract class ArrayPoolContract
{
    /// <summary>The pool under test.</summary>
    protected abstract ArrayPool<T> Pool<T>();

    /// <summary>The end of the sweep: a multiple of the pool's limit where that is small, some MiB otherwise.</summary>
    protected virtual int LongestSwept => 4 << 20;

    /// <summary>Lengths above are allocated exactly as asked; those above 2^30 are not tried, for their size.</summary>
    protected virtual int? LongestKept => null;

    /// <summary>Whether a buffer that was returned without clearing keeps its contents until it is rented again.</summary>
    protected virtual bool ReturnLeavesContents => true;

    /// <summary>Whether a buffer returned with clearing holds zeros afterwards, rather than any other contents than before.</summary>
    protected virtual bool ClearingLeavesZeros => true;

    /// <summary>The same of buffers of references.</summary>
    protected virtual bool ReturnLeavesReferences => ReturnLeavesContents;

    /// <summary>Whether no buffer ever holds a bit pattern that its element type does not have.</summary>
    protected virtual bool ValuesArePossible => true;

    /// <summary>The exception for a length that the pool never hands out.</summary>
    protected virtual Type ForeignLengthException => typeof(ArgumentException);

    /// <summary>
    /// Whether others use the pool meanwhile. What they return may be of a nearer length than what the pool had before.
    /// </summary>
    protected virtual bool HasOtherUsers => false;

    /// <summary>Whether a refused array has not been touched.</summary>
    protected virtual bool RefusesBeforeClearing => true;

    [Fact]
    public void Length_zero_gives_the_empty_array_which_may_be_returned_any_number_of_times()
    {
        ArrayPool<int> pool = Pool<int>();
        int[] empty = pool.Rent(0);
        Assert.Same(Array.Empty<int>(), empty);
        pool.Return(empty);
        pool.Return(empty, clearArray: true);
        pool.Return([]);
        Assert.Same(empty, pool.Rent(0));
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(-16)]
    [InlineData(int.MinValue)]
    public void Negative_lengths_are_refused(int length)
    {
        ArrayPool<byte> pool = Pool<byte>();
        pool.Return(pool.Rent(1));
        ArgumentOutOfRangeException e = Assert.Throws<ArgumentOutOfRangeException>(() => pool.Rent(length));
        Assert.Equal("minimumLength", e.ParamName);
    }

    [Fact]
    public void A_null_array_is_refused()
    {
        ArrayPool<byte> pool = Pool<byte>();
        Assert.Equal("array", Assert.Throws<ArgumentNullException>(() => pool.Return(null!)).ParamName);
        Assert.Equal("array", Assert.Throws<ArgumentNullException>(() => pool.Return(null!, clearArray: true)).ParamName);
    }

    [Fact]
    public void Buffers_are_at_least_as_long_as_asked_new_and_reused()
    {
        ArrayPool<byte> pool = Pool<byte>();
        foreach (int length in Lengths.UpTo(LongestSwept))
        {
            byte[] first = pool.Rent(length);
            pool.Return(first);
            byte[] second = pool.Rent(length);
            if (Math.Min(first.Length, second.Length) < length || (second.Length != first.Length && !HasOtherUsers))
            {
                Assert.Fail($"Asked for {length}, got {first.Length}, then {second.Length}.");
            }

            pool.Return(second);
        }
    }

    [Fact]
    public void Live_buffers_are_never_the_same_array()
    {
        ArrayPool<long> pool = Pool<long>();
        for (int round = 0; round < 3; round++)
        {
            HashSet<long[]> live = [];
            foreach (int length in Enumerable.Range(1, 400).Select(static i => (i * 37 % 300) + 1))
            {
                Assert.True(live.Add(pool.Rent(length)), "Two callers were handed the same array.");
            }

            foreach (long[] array in live)
            {
                pool.Return(array);
            }
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(100)]
    [InlineData(1000)]
    public void A_return_that_does_not_ask_for_clearing_leaves_the_contents(int length)
    {
        ArrayPool<int> pool = Pool<int>();
        int[] array = pool.Rent(length);
        array.AsSpan().Fill(7);
        pool.Return(array);
        Assert.Equal(ReturnLeavesContents, !array.AsSpan().ContainsAnyExcept(7));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(100)]
    [InlineData(1000)]
    public void A_return_that_asks_for_clearing_clears_the_whole_buffer(int length)
    {
        ArrayPool<int> pool = Pool<int>();
        int[] array = pool.Rent(length);
        array.AsSpan().Fill(7);
        pool.Return(array, clearArray: true);
        Assert.DoesNotContain(7, array);
        Assert.Equal(ClearingLeavesZeros, !array.AsSpan().ContainsAnyExcept(0));
    }

    [Fact]
    public void Longer_than_the_pool_keeps_is_allocated_as_asked_and_taken_back()
    {
        if (LongestKept is not { } longest)
        {
            return;
        }

        ArrayPool<int> pool = Pool<int>();
        foreach (int length in (int[])[longest + 1, longest + 77, longest * 5])
        {
            int[] array = pool.Rent(length);
            Assert.Equal(length, array.Length);
            pool.Return(array);
            int[] other = pool.Rent(length);
            Assert.NotSame(array, other);
            pool.Return(other, clearArray: true);
        }
    }

    [Fact]
    public void References_are_kept_or_cleared_as_asked()
    {
        ArrayPool<string?> pool = Pool<string?>();
        string?[] array = pool.Rent(50);
        array.AsSpan().Fill("kept");
        pool.Return(array);
        Assert.Equal(ReturnLeavesReferences, Array.TrueForAll(array, static s => s == "kept"));

        array = pool.Rent(50);
        array.AsSpan().Fill("cleared");
        pool.Return(array, clearArray: true);
        Assert.All(array, Assert.Null);
    }

    [Fact]
    public void Booleans_are_true_or_false_and_nothing_else()
    {
        ArrayPool<bool> pool = Pool<bool>();
        ForManyBuffers(pool, static array => Assert.Equal(-1, MemoryMarshal.AsBytes<bool>(array).IndexOfAnyExcept((byte)0, (byte)1)));
    }

    [Fact]
    public void Decimals_have_possible_scales() =>
        ForManyBuffers(Pool<decimal>(), static array => Array.ForEach(array, static value => _ = new decimal(decimal.GetBits(value))));

    [Fact]
    public void Dates_lie_in_the_calendar() =>
        ForManyBuffers(
            Pool<DateTime>(),
            static array => Array.ForEach(array, static value => Assert.InRange(value, DateTime.MinValue, DateTime.MaxValue)));

    [Fact]
    public void Structs_with_padding_have_possible_fields() =>
        ForManyBuffers(Pool<Padded>(), static array => Array.ForEach(array, static value =>
        {
            Assert.InRange(value.When, DateTime.MinValue, DateTime.MaxValue);
            Assert.InRange(Unsafe.BitCast<bool, byte>(value.Flag), 0, 1);
            _ = new decimal(decimal.GetBits(value.Amount));
        }));

    [Fact]
    public void Buffers_may_be_returned_on_another_thread_than_they_were_rented_on()
    {
        ArrayPool<int> pool = Pool<int>();
        using Worker worker = new();
        for (int round = 0; round < 20; round++)
        {
            int[][] rented = [.. Enumerable.Range(1, 100).Select(i => pool.Rent(i * 10))];
            worker.Run(() => Array.ForEach(rented, array => pool.Return(array)));
            int[][] theirs = worker.Run(() => Enumerable.Range(1, 100).Select(i => pool.Rent(i * 10)).ToArray());
            Assert.Equal(100, theirs.Distinct().Count());
            Array.ForEach(theirs, array => pool.Return(array));
        }
    }

    [Fact]
    public void A_length_the_pool_never_hands_out_is_refused_and_not_cleared()
    {
        ArrayPool<byte> pool = Pool<byte>();
        pool.Return(pool.Rent(17));
        byte[] foreign = new byte[17];
        foreign.AsSpan().Fill(7);
        Assert.Throws(ForeignLengthException, () => pool.Return(foreign, clearArray: true));
        Assert.Equal(RefusesBeforeClearing, !foreign.AsSpan().ContainsAnyExcept((byte)7));
    }

    /// <summary>Rents enough, of enough sizes, to see both new and reused memory, and dirties it in between through another pool.</summary>
    private void ForManyBuffers<T>(ArrayPool<T> pool, Action<T[]> verify)
    {
        for (int round = 0; round < 40 && ValuesArePossible; round++)
        {
            // Uninitialized memory from the collector holds old contents of others.
            byte[] garbage = new byte[20_000];
            garbage.AsSpan().Fill(0xDB);
            foreach (int length in (int[])[3, 300, 3000])
            {
                T[] array = pool.Rent(length);
                verify(array);
                pool.Return(array);
            }
        }
    }
}
