using System.Buffers;
using Tarn.Tests.Streams;
using Tarn.Tests.Support;

namespace Tarn.Tests.Budgets;

/// <summary>Streams whose memory is taken from a budget.</summary>
public sealed class BudgetedStreamTests : IDisposable
{
    private const int Limit = 64 << 10;

    private readonly BufferBudget _budget = new(Limit, "streams");
    private readonly NativeHeap _heap = new(new NativeHeapOptions { Checks = BufferChecks.None });

    public static TheoryData<bool, StreamClearing> Kinds => new()
    {
        { false, StreamClearing.None }, { false, StreamClearing.OnReturn }, { false, StreamClearing.Background },
        { true, StreamClearing.None }, { true, StreamClearing.OnReturn },
    };

    public void Dispose() => _heap.Dispose();

    [Theory]
    [MemberData(nameof(Kinds))]
    public void A_stream_takes_what_its_segments_are_large_and_returns_all_of_it(bool isNative, StreamClearing zeroing)
    {
        Random random = new(7);
        for (int round = 0; round < 100; round++)
        {
            using PooledMemoryStream stream = new(OptionsOf(isNative, zeroing), random.Next(2) * random.Next(5_000));
            byte[] written = new byte[random.Next(20_000)];
            random.NextBytes(written);
            for (int at = 0; at < written.Length;)
            {
                int count = Math.Min(written.Length - at, 1 + random.Next(3_000));
                stream.Write(written.AsSpan(at, count));
                at += count;
                Assert.InRange(_budget.InUse, stream.Capacity, Limit);
            }

            Assert.Equal(written, stream.ToArray());
            ChangeLengths(random, stream);
            stream.Dispose();
            Eventually.True(() => _budget.InUse == 0, "the stream returns its bytes, after they were cleared in the background");
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void At_the_limit_a_write_throws_and_the_stream_is_unchanged(bool isNative)
    {
        using PooledMemoryStream stream = new(OptionsOf(isNative, StreamClearing.None));
        byte[] written = new byte[20_000];
        new Random(1).NextBytes(written);
        stream.Write(written);
        long before = _budget.InUse;
        BufferBudgetExceededException e = Assert.Throws<BufferBudgetExceededException>(() => stream.Write(new byte[Limit]));
        Assert.Equal(("streams", Limit), (e.BudgetName, e.Limit));
        Assert.Throws<BufferBudgetExceededException>(() => stream.Capacity = Limit);
        Assert.Equal((before, 20_000, 20_000), (_budget.InUse, stream.Length, stream.Position));
        Assert.Equal(written, stream.ToArray());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task An_asynchronous_write_waits(bool isNative)
    {
        _budget.Take(Limit - 1_000);
        using PooledMemoryStream stream = new(OptionsOf(isNative, StreamClearing.None));
        byte[] written = [.. Enumerable.Range(0, 10_000).Select(static i => (byte)i)];
        Task writing = stream.WriteAsync(written).AsTask();
        Assert.Equal((1, false, 0), (_budget.Waiting, writing.IsCompleted, stream.Length));
        _budget.Return(Limit - 1_000);
        await writing;
        Assert.Equal(written, stream.ToArray());
        Assert.InRange(_budget.InUse, stream.Capacity, Limit);
        await stream.DisposeAsync();
        Assert.Equal(0, _budget.InUse);
    }

    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public async Task Filling_a_stream_from_another_waits(bool isNative, bool knowsLength)
    {
        byte[] sent = new byte[20_000];
        new Random(3).NextBytes(sent);
        using PooledMemoryStream stream = new(OptionsOf(isNative, StreamClearing.None));
        using Stream source = knowsLength ? new MemoryStream(sent) : new TricklingStream(sent, 900);
        _budget.Take(Limit - 8_000);
        Task<long> filling = stream.CopyFromAsync(source).AsTask();
        AwaitWaiting();
        Assert.False(filling.IsCompleted);
        _budget.Return(Limit - 8_000);
        Assert.Equal(sent.Length, await filling);
        Assert.Equal(sent, stream.ToArray());
        Assert.InRange(_budget.InUse, stream.Capacity, Limit);
        await stream.DisposeAsync();
        Assert.Equal((0, 0), (_budget.InUse, _budget.Refused));
    }

    [Fact]
    public async Task A_filling_that_is_cancelled_while_it_waits_keeps_what_it_read()
    {
        using CancellationTokenSource source = new();
        using PooledMemoryStream stream = new(OptionsOf(isNative: false, StreamClearing.None));
        _budget.Take(Limit - 8_000);
        Task<long> filling = stream.CopyFromAsync(new TricklingStream(new byte[20_000], 900), source.Token).AsTask();
        AwaitWaiting();
        Assert.False(filling.IsCompleted);
        await source.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => filling);
        Assert.InRange(stream.Length, 1_000, 8_000);
        await stream.DisposeAsync();
        Assert.Equal((Limit - 8_000, 0), (_budget.InUse, _budget.Waiting));
    }

    [Fact]
    public async Task A_wait_that_is_cancelled_or_can_never_end_writes_nothing()
    {
        _budget.Take(Limit);
        using CancellationTokenSource source = new();
        using PooledMemoryStream stream = new(OptionsOf(isNative: false, StreamClearing.None));
        Task writing = stream.WriteAsync(new byte[10], source.Token).AsTask();
        Assert.False(writing.IsCompleted);
        await source.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => writing);
        await Assert.ThrowsAsync<BufferBudgetExceededException>(() => stream.WriteAsync(new byte[Limit + 1]).AsTask());
        Assert.Equal((0, Limit, 0), (stream.Length, _budget.InUse, _budget.Waiting));
    }

    [Fact]
    public void Detached_contents_keep_their_bytes_until_they_are_disposed()
    {
        using PooledMemoryStream stream = new(OptionsOf(isNative: false, StreamClearing.None));
        stream.Write(new byte[5_000]);
        OwnedSequence<byte> sequence = stream.Detach();
        Assert.InRange(_budget.InUse, 5_000, Limit);
        Assert.Equal(5_000, sequence.Sequence.Length);
        sequence.Dispose();
        Assert.Equal(0, _budget.InUse);
    }

    [Fact]
    public void A_budget_excludes_contents_that_are_kept_after_the_disposal()
    {
        ArgumentException e = Assert.Throws<ArgumentException>(
            () => new PooledMemoryStream(new PooledMemoryStreamOptions { Budget = _budget, KeepContentsOnDispose = true }));
        Assert.Equal("options", e.ParamName);
        Assert.Contains("Budget", e.Message, StringComparison.Ordinal);
    }

    private static void ChangeLengths(Random random, PooledMemoryStream stream)
    {
        stream.Capacity = (int)stream.Length + random.Next(1_000);
        stream.SetLength(random.Next((int)stream.Length + 1));
        stream.Position = stream.Length;
        stream.GetSpan(random.Next(1, 2_000))[0] = 1;
        stream.Advance(1);
        stream.Write(new ReadOnlySequence<byte>(new byte[random.Next(500)]));
        if (random.Next(4) == 0)
        {
            using PooledMemoryStream copy = new();
            stream.Position = 0;
            stream.CopyTo(copy);
        }
    }

    /// <summary>Waits for a call that reads from another stream on the thread pool first.</summary>
    private void AwaitWaiting() => Eventually.True(() => _budget.Waiting == 1, "the call waits");

    private PooledMemoryStreamOptions OptionsOf(bool isNative, StreamClearing zeroing) =>
        new() { Budget = _budget, Heap = isNative ? _heap : null, Clearing = zeroing };
}
