using System.IO.Compression;
using Tarn.Tests.Support;
using Tarn.Torture.Storms;

namespace Tarn.Tests.Budgets;

/// <summary>Streams that hold bytes of a budget and wait for more never wait for each other for ever.</summary>
public sealed class HoldAndWaitStreamTests
{
    private const int Limit = 1 << 20;

    private readonly BufferBudget _budget = new(Limit, "held");

    [Theory]
    [InlineData(1)]
    [InlineData(8)]
    [InlineData(40)]
    public void All_clients_end_though_none_has_a_timeout(int clients) => new HolderStorm(Random.Shared.Next()).Run(clients);

    [Fact]
    public async Task Of_streams_that_wait_for_each_other_the_last_is_refused_and_the_others_go_on()
    {
        PooledMemoryStream[] streams = [Create(300_000), Create(300_000), Create(300_000)];
        Task first = streams[0].WriteAsync(new byte[300_000]).AsTask();
        Task second = streams[1].WriteAsync(new byte[300_000]).AsTask();
        Assert.False(first.IsCompleted || second.IsCompleted);
        BufferBudgetExceededException e = await Assert.ThrowsAsync<BufferBudgetExceededException>(
            () => streams[2].WriteAsync(new byte[300_000]).AsTask());
        Assert.Equal((true, false, 1, 1), (e.IsDeadlock, e.ExceedsLimit, _budget.Deadlocks, _budget.Refused));
        Assert.Equal(300_000, streams[2].Length);
        streams[2].Dispose();
        await Eventually.Ends(first, "the first goes on");
        streams[0].Dispose();
        await Eventually.Ends(second, "the second goes on");
        streams[1].Dispose();
        Assert.Equal((0, 0), (_budget.InUse, _budget.Waiting));
    }

    [Fact]
    public async Task A_request_that_fits_passes_one_that_waits_for_it()
    {
        using PooledMemoryStream stream = Create(300_000);
        Task all = _budget.TakeAsync(Limit).AsTask();
        await Eventually.Ends(stream.WriteAsync(new byte[100_000]).AsTask(), "the stream goes on before the one that waits for it");
        Task unknown = _budget.TakeAsync(1).AsTask();
        Assert.False(all.IsCompleted || unknown.IsCompleted);
        stream.Dispose();
        await Eventually.Ends(all, "the first is served");
        Assert.False(unknown.IsCompleted);
        _budget.Return(Limit);
        await unknown;
        Assert.Equal(0, _budget.Refused);
    }

    [Fact]
    public async Task A_stream_waits_while_somebody_else_may_make_room()
    {
        _budget.Take(300_000);
        using PooledMemoryStream first = Create(300_000);
        using PooledMemoryStream second = Create(300_000);
        Task writing = first.WriteAsync(new byte[300_000]).AsTask();
        Task behind = second.WriteAsync(new byte[200_000]).AsTask();
        Assert.False(writing.IsCompleted || behind.IsCompleted);
        _budget.Return(300_000);
        await Eventually.Ends(writing, "what others return is granted");
        first.Dispose();
        await Eventually.Ends(behind, "the second goes on");
        Assert.Equal(0, _budget.Refused);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_stream_that_wants_more_than_there_is_exceeds_the_limit_at_once(bool blocks)
    {
        BufferBudget child = _budget.CreateChild(long.MaxValue, "child");
        PooledMemoryStreamOptions options = new() { Budget = child, BudgetTimeout = blocks ? Timeout.InfiniteTimeSpan : default };
        using PooledMemoryStream stream = new(options);
        await stream.WriteAsync(new byte[700_000]);
        BufferBudgetExceededException e = blocks
            ? Assert.Throws<BufferBudgetExceededException>(() => stream.Write(new byte[700_000]))
            : await Assert.ThrowsAsync<BufferBudgetExceededException>(() => stream.WriteAsync(new byte[700_000]).AsTask());
        Assert.Equal((true, "held", 0), (e.ExceedsLimit, e.BudgetName, child.Waiting));
        Assert.Contains("holds", e.Message, StringComparison.Ordinal);
        Assert.True(Assert.Throws<BufferBudgetExceededException>(() => child.Take(Limit + 1)).ExceedsLimit);
        Assert.False(Assert.Throws<BufferBudgetExceededException>(() => child.Take(Limit)).ExceedsLimit);
    }

    /// <summary>The room that a stream takes ahead is a wish: it may not make the stream fail that has room for its bytes.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(1_000)]
    public void A_stream_fills_its_budget_almost_to_the_limit(int part)
    {
        using PooledMemoryStream stream = new(new PooledMemoryStreamOptions { Budget = _budget });
        byte[] bytes = new byte[part];
        BufferBudgetExceededException? refusal = null;
        while (refusal is null)
        {
            try
            {
                stream.Write(bytes);
            }
            catch (BufferBudgetExceededException e)
            {
                refusal = e;
            }
        }

        Assert.True(refusal.ExceedsLimit);
        Assert.InRange(stream.Length, Limit * 0.97, Limit);
    }

    /// <summary>The disposal of the compressing stream writes once more, without a token.</summary>
    [Fact]
    public async Task A_compressing_stream_over_a_full_budget_ends()
    {
        using CancellationTokenSource gone = new();
        using PooledMemoryStream stream = new(new PooledMemoryStreamOptions { Budget = _budget, BudgetCancellationToken = gone.Token });
        _budget.Take(Limit);
        byte[] body = new byte[100_000];
        Random.Shared.NextBytes(body);
        Task handling = Task.Run(async () =>
        {
            await using GZipStream gzip = new(stream, CompressionLevel.Fastest, leaveOpen: true);
            await gzip.WriteAsync(body);
        });
        Eventually.True(() => _budget.Waiting == 1, "the handler waits");
        await gone.CancelAsync();
        await Eventually.Ends(Task.WhenAny(handling), "the handler ends");
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => handling);
        Assert.Equal(0, _budget.Waiting);
    }

    [Fact]
    public async Task A_copy_out_of_a_stream_takes_nothing_from_its_budget()
    {
        using PooledMemoryStream stream = new(new PooledMemoryStreamOptions { Budget = _budget, BudgetTimeout = Timeout.InfiniteTimeSpan });
        for (int i = 0; i < 100; i++)
        {
            await stream.WriteAsync(new byte[1_000]);
        }

        _budget.Take(Limit - _budget.InUse);
        using MemoryStream copy = new();
        stream.Position = 0;
        await stream.CopyToAsync(copy);
        stream.WriteTo(copy);
        Assert.Equal(200_000, copy.Length);
    }

    private PooledMemoryStream Create(int length)
    {
        PooledMemoryStream stream = new(new PooledMemoryStreamOptions { Budget = _budget });
        stream.Write(new byte[length]);
        return stream;
    }
}
