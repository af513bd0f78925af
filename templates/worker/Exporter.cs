using System.Text.Json;
using Tarn;

namespace TarnProgram;

/// <summary>Builds documents in pooled streams, several at a time, within a budget.</summary>
public sealed partial class Exporter(IHostApplicationLifetime lifetime, ILogger<Exporter> log) : BackgroundService
{
    private const int Jobs = 1_000;
    private const int Rows = 2_000;

    /// <summary>All jobs together never have more in use. Writes wait until others have returned their memory.</summary>
    private static readonly PooledMemoryStreamOptions s_streams = new() { Budget = new BufferBudget(16 << 20, "exports") };

    /// <inheritdoc/>
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        long bytes = 0;
        await Parallel.ForEachAsync(Enumerable.Range(0, Jobs), stoppingToken, async (job, stopping) =>
        {
            // The capacity is taken at once: a stream that waits for more keeps what it has, and could wait for another that waits.
            using PooledMemoryStream document = new(s_streams, capacity: 256 << 10);
            await JsonSerializer.SerializeAsync(document, RowsOf(job), cancellationToken: stopping);
            Interlocked.Add(ref bytes, document.Length);
        });
        BufferBudget budget = s_streams.Budget!;
        LogEnd(log, Jobs, bytes, budget.InUse, budget.LongestWait);
        lifetime.StopApplication();
    }

    private static IEnumerable<Row> RowsOf(int job) =>
        Enumerable.Range(0, Rows).Select(row => new Row(job, row, $"Row {row} of job {job}"));

    [LoggerMessage(LogLevel.Information, "{Jobs} documents of {Bytes} bytes; {InUse} bytes still in use; the longest wait was {Wait}")]
    private static partial void LogEnd(ILogger log, int jobs, long bytes, long inUse, TimeSpan wait);

    private sealed record Row(int Job, int Number, string Text);
}
