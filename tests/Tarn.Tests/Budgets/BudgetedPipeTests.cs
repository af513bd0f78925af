using System.Buffers;
using System.IO.Pipelines;
using Tarn.Tests.Support;

namespace Tarn.Tests.Budgets;

/// <summary>Pipes over the memory pool of a pool with a budget.</summary>
public sealed class BudgetedPipeTests
{
    private const int Block = 4 << 10;
    private const int Limit = 16 * Block;
    private const int Bytes = 200_000;

    private readonly BufferBudget _budget = new(Limit, "pipes");
    private readonly BufferPool<byte> _pool;

    public BudgetedPipeTests() =>
        _pool = BufferPool<byte>.Create(new BufferPoolOptions { Budget = _budget, Checks = BufferChecks.None });

    /// <summary>
    /// The pipes never pause their writers, so only the budget does. Each reader is slower than its writer. There are more pipes than
    /// blocks: a writer that kept its last block during a wait would hold up the others for ever.
    /// </summary>
    [Theory]
    [InlineData(1)]
    [InlineData(40)]
    public async Task Writers_wait_for_slow_readers_within_the_budget_and_all_arrives(int pipes)
    {
        long most = 0;
        await Eventually.AllEnd(Enumerable.Range(0, pipes).Select(async index =>
        {
            Pipe pipe = new(new PipeOptions(_pool.AsMemoryPool(), pauseWriterThreshold: 0, minimumSegmentSize: Block));
            Task writing = Task.Run(() => WriteAsync(pipe.Writer, index, Bytes));
            long read = await ReadSlowlyAsync(pipe.Reader, index, () => most = Math.Max(most, _budget.InUse));
            await writing;
            Assert.Equal(Bytes, read);
        }), "all pipes end");
        Assert.InRange(most, Limit / 2, Limit);
        Assert.Equal((0, 0, 0), (_budget.InUse, _budget.Waiting, _pool.GetStatistics().InUseBytes));
    }

    [Fact]
    public async Task A_wait_ends_by_its_token_and_the_pipe_goes_on()
    {
        Pipe pipe = new(new PipeOptions(_pool.AsMemoryPool(), pauseWriterThreshold: 0, minimumSegmentSize: Block));
        while (_budget.InUse < Limit)
        {
            (await _budget.GetMemoryAsync(pipe.Writer)).Span.Fill(7);
            pipe.Writer.Advance(Block);
            await pipe.Writer.FlushAsync();
        }

        Assert.Throws<BufferBudgetExceededException>(() => pipe.Writer.GetMemory());
        using CancellationTokenSource source = new();
        Task waiting = _budget.GetMemoryAsync(pipe.Writer, cancellationToken: source.Token).AsTask();
        Assert.Equal((1, false), (_budget.Waiting, waiting.IsCompleted));
        await source.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => _budget.GetMemoryAsync(pipe.Writer, cancellationToken: source.Token).AsTask());
        await Assert.ThrowsAsync<BufferBudgetExceededException>(() => _budget.GetMemoryAsync(pipe.Writer, Limit + 1).AsTask());
        ReadResult result = await pipe.Reader.ReadAsync();
        Assert.Equal(Limit, result.Buffer.Length);
        pipe.Reader.AdvanceTo(result.Buffer.End);
        (await _budget.GetMemoryAsync(pipe.Writer)).Span[0] = 8;
        pipe.Writer.Advance(1);
        await pipe.Writer.CompleteAsync();
        result = await pipe.Reader.ReadAsync();
        Assert.Equal([8], result.Buffer.ToArray());
        await pipe.Reader.CompleteAsync();
        Assert.Equal(0, _budget.InUse);
    }

    /// <summary>How a wait ends with its pipe, and the exception.</summary>
    public static TheoryData<string, Type, bool> Ends => new()
    {
        { "complete", typeof(IOException), false }, { "complete", typeof(IOException), true },
        { "fail", typeof(FormatException), false }, { "fail", typeof(FormatException), true },
        { "cancel", typeof(OperationCanceledException), false }, { "cancel", typeof(OperationCanceledException), true },
    };

    [Theory]
    [MemberData(nameof(Ends))]
    public async Task A_wait_ends_when_nobody_reads_any_more(string way, Type expected, bool isBefore)
    {
        Pipe pipe = new(new PipeOptions(_pool.AsMemoryPool(), pauseWriterThreshold: 0, minimumSegmentSize: Block));
        while (_budget.InUse < Limit)
        {
            await _budget.GetMemoryAsync(pipe.Writer);
            pipe.Writer.Advance(Block);
        }

        if (isBefore)
        {
            End();
        }

        Task waiting = _budget.GetMemoryAsync(pipe.Writer).AsTask();
        if (!isBefore)
        {
            Eventually.True(() => _budget.Waiting == 1, "the writer waits");
            End();
        }

        await Eventually.Ends(Task.WhenAny(waiting), "the wait ends");
        await Assert.ThrowsAsync(expected, () => waiting);
        Assert.Equal((Limit, 0), (_budget.InUse, _budget.Waiting));
        await pipe.Writer.CompleteAsync();
        await pipe.Reader.CompleteAsync();
        Assert.Equal(0, _budget.InUse);

        void End()
        {
            switch (way)
            {
                case "complete":
                    pipe.Reader.Complete();
                    break;
                case "fail":
                    pipe.Reader.Complete(new FormatException());
                    break;
                default:
                    pipe.Writer.CancelPendingFlush();
                    break;
            }
        }
    }

    [Fact]
    public async Task Bad_arguments_are_refused()
    {
        Pipe pipe = new(new PipeOptions(_pool.AsMemoryPool()));
        await Assert.ThrowsAsync<ArgumentNullException>(
            "budget", () => BufferBudgetExtensions.GetMemoryAsync(null!, pipe.Writer).AsTask());
        await Assert.ThrowsAsync<ArgumentNullException>("writer", () => _budget.GetMemoryAsync(null!).AsTask());
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => _budget.GetMemoryAsync(pipe.Writer, -1).AsTask());
    }

    private async Task WriteAsync(PipeWriter writer, int seed, int count)
    {
        for (int written = 0; written < count;)
        {
            Memory<byte> memory = await _budget.GetMemoryAsync(writer);
            int length = Math.Min(memory.Length, count - written);
            for (int i = 0; i < length; i++)
            {
                memory.Span[i] = (byte)(seed + ((written + i) % 251));
            }

            writer.Advance(length);
            written += length;
            Assert.InRange(_budget.InUse, 1, Limit);
            await writer.FlushAsync();
        }

        await writer.CompleteAsync();
    }

    private static async Task<long> ReadSlowlyAsync(PipeReader reader, int seed, Action look)
    {
        long read = 0;
        while (true)
        {
            ReadResult result = await reader.ReadAsync();
            look();
            ReadOnlySequence<byte> part = result.Buffer.Slice(0, Math.Min(result.Buffer.Length, 3_000));
            foreach (byte value in part.ToArray())
            {
                Assert.Equal((byte)(seed + (read++ % 251)), value);
            }

            reader.AdvanceTo(part.End);
            if (result.IsCompleted && part.Length == result.Buffer.Length)
            {
                await reader.CompleteAsync();
                return read;
            }

            await Task.Yield();
        }
    }
}
