using System.Buffers;
using Tarn.Tests.Support;

namespace Tarn.Tests.Budgets;

/// <summary>A call that waits for a budget ends with the stream it was made for, in every way to wait.</summary>
public sealed class OwnedWaitTests : IDisposable
{
    private const int Limit = 100_000;
    private const int Taken = 60_000;

    private static readonly byte[] s_bytes = new byte[60_000];

    /// <summary>Calls that take about 60,000 bytes, in segments or at once.</summary>
    private static readonly Dictionary<string, Func<PooledMemoryStream, CancellationToken, Task>> s_ways = new()
    {
        ["WriteAsync"] = static (stream, token) => stream.WriteAsync(s_bytes, token).AsTask(),
        ["WriteAsync of an array"] = static (stream, token) => stream.WriteAsync(s_bytes, 0, s_bytes.Length, token),
        ["CopyFromAsync"] = static (stream, token) => stream.CopyFromAsync(new MemoryStream(s_bytes), token).AsTask(),
        ["CopyFromAsync of unknown length"] =
            static (stream, token) => stream.CopyFromAsync(new UnknownLength(s_bytes), token).AsTask(),
        ["Write"] = static (stream, _) => OnThread(() => stream.Write(s_bytes)),
        ["Write of a sequence"] = static (stream, _) => OnThread(() => stream.Write(new ReadOnlySequence<byte>(s_bytes))),
        ["CopyFrom"] = static (stream, _) => OnThread(() => stream.CopyFrom(new MemoryStream(s_bytes))),
        ["SetLength"] = static (stream, _) => OnThread(() => stream.SetLength(s_bytes.Length)),
        ["Capacity"] = static (stream, _) => OnThread(() => stream.Capacity = s_bytes.Length),
        ["GetSpan"] = static (stream, _) => OnThread(() => stream.GetSpan(s_bytes.Length)),
        ["GetMemory"] = static (stream, _) => OnThread(() => stream.GetMemory(s_bytes.Length)),
    };

    private readonly BufferBudget _budget = new(Limit, "owned");
    private readonly NativeHeap _heap = new(new NativeHeapOptions { Checks = BufferChecks.None });

    public static TheoryData<string, bool> Ways
    {
        get
        {
            TheoryData<string, bool> ways = [];
            foreach (string way in s_ways.Keys)
            {
                ways.Add(way, false);
                ways.Add(way, true);
            }

            return ways;
        }
    }

    public void Dispose() => _heap.Dispose();

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task The_disposal_of_a_stream_ends_its_wait_and_serves_those_behind(string way, bool isNative)
    {
        _budget.Take(Taken);
        PooledMemoryStream stream = new(OptionsOf(isNative));
        Task waiting = s_ways[way](stream, default);
        Eventually.True(() => _budget.Waiting == 1, "the call waits");
        Task small = _budget.TakeAsync(1_000).AsTask();
        Assert.False(small.IsCompleted);
        stream.Dispose();
        await Eventually.Ends(small, "the request behind a disposed stream is served");
        await Assert.ThrowsAsync<ObjectDisposedException>(() => waiting);
        await VerifyEndAsync(Taken + 1_000);
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task The_token_of_the_options_ends_every_wait(string way, bool isNative)
    {
        using CancellationTokenSource source = new();
        _budget.Take(Taken);
        using PooledMemoryStream stream = new(
            new PooledMemoryStreamOptions(OptionsOf(isNative)) { BudgetCancellationToken = source.Token });
        Task waiting = s_ways[way](stream, default);
        Eventually.True(() => _budget.Waiting == 1, "the call waits");
        await source.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        Assert.True(stream.Length < s_bytes.Length);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => s_ways[way](stream, default));
        stream.Dispose();
        await VerifyEndAsync(Taken);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task An_asynchronous_call_waits_as_long_as_the_options_say(bool isNative)
    {
        _budget.Take(Taken);
        using PooledMemoryStream stream = new(
            new PooledMemoryStreamOptions(OptionsOf(isNative)) { AsyncBudgetTimeout = TimeSpan.FromMilliseconds(20) });
        BufferBudgetExceededException e =
            await Assert.ThrowsAsync<BufferBudgetExceededException>(() => stream.WriteAsync(s_bytes).AsTask());
        Assert.Contains("waited 00:00:00.0", e.Message, StringComparison.Ordinal);
        Assert.Equal((false, false), (e.ExceedsLimit, e.IsDeadlock));
        PooledMemoryStreamOptions never = new PooledMemoryStreamOptions(OptionsOf(isNative)) { AsyncBudgetTimeout = TimeSpan.Zero };
        await Assert.ThrowsAsync<BufferBudgetExceededException>(() => PooledMemoryStream.CreateAsync(never, 60_000).AsTask());
        Assert.Equal((0, 2), (_budget.Waiting, _budget.Refused));
        stream.Dispose();
        await VerifyEndAsync(Taken);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_stream_waits_for_its_capacity_before_it_holds_anything(bool isNative)
    {
        _budget.Take(Taken);
        using CancellationTokenSource source = new();
        Task<PooledMemoryStream> cancelled = PooledMemoryStream.CreateAsync(OptionsOf(isNative), 60_000, source.Token).AsTask();
        Task<PooledMemoryStream> created = PooledMemoryStream.CreateAsync(OptionsOf(isNative), 60_000).AsTask();
        Assert.Equal((Taken, 2), (_budget.InUse, _budget.Waiting));
        await source.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => cancelled);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => PooledMemoryStream.CreateAsync(OptionsOf(isNative), 1, source.Token).AsTask());
        _budget.Return(Taken);
        using PooledMemoryStream stream = await created;
        Assert.Equal((true, 0L, 0L), (stream.Capacity >= 60_000, stream.Length, stream.Position));
        BufferBudgetExceededException e = await Assert.ThrowsAsync<BufferBudgetExceededException>(
            () => PooledMemoryStream.CreateAsync(OptionsOf(isNative), Limit + 1).AsTask());
        Assert.True(e.ExceedsLimit);
        stream.Dispose();
        using PooledMemoryStream free = await PooledMemoryStream.CreateAsync(new PooledMemoryStreamOptions(), 10_000);
        Assert.True(free.Capacity >= 10_000);
        await VerifyEndAsync(0);
    }

    [Fact]
    public void Options_of_waits_are_verified()
    {
        PooledMemoryStreamOptions negative = new() { Budget = _budget, AsyncBudgetTimeout = TimeSpan.FromSeconds(-2) };
        Assert.Contains(
            "AsyncBudgetTimeout", Assert.ThrowsAny<ArgumentException>(() => new PooledMemoryStream(negative)).Message,
            StringComparison.Ordinal);
        PooledMemoryStreamOptions useless = new() { AsyncBudgetTimeout = TimeSpan.FromSeconds(1) };
        Assert.Contains(
            "no budget to wait for", Assert.ThrowsAny<ArgumentException>(() => new PooledMemoryStream(useless)).Message,
            StringComparison.Ordinal);
        Assert.Throws<ArgumentNullException>("options", () => { _ = PooledMemoryStream.CreateAsync(null!, 1).AsTask(); });
        PooledMemoryStreamOptions valid = new() { Budget = _budget };
        Assert.Throws<ArgumentOutOfRangeException>("capacity", () => { _ = PooledMemoryStream.CreateAsync(valid, -1).AsTask(); });
    }

    private PooledMemoryStreamOptions OptionsOf(bool isNative) => new()
    {
        Budget = _budget,
        BudgetTimeout = Timeout.InfiniteTimeSpan,
        Heap = isNative ? _heap : null,
    };

    private async Task VerifyEndAsync(long inUse)
    {
        Eventually.True(() => _budget.InUse == inUse, "the stream has returned its bytes");
        _budget.Return(inUse);
        await _budget.TakeAsync(Limit);
        _budget.Return(Limit);
        Assert.Equal((0, 0), (_budget.InUse, _budget.Waiting));
    }

    private static Task OnThread(Action call) => Task.Factory.StartNew(call, TaskCreationOptions.LongRunning);

    private sealed class UnknownLength(byte[] bytes) : MemoryStream(bytes)
    {
        public override bool CanSeek => false;
    }
}
