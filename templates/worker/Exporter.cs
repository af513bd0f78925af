using System.Text.Json;
using Tarn;

namespace TarnProgram;

/// <summary>Builds documents in pooled streams, several at a time, within a budget.</summary>
public sealed partial class Exporter(IHostApplicationLifetime lifetime, ILogger<Exporter> log) : BackgroundService
{
    private const int Jobs = 1_000;
    private const int Rows = 2_000;

    /// <summary>What a document needs. It is taken at once, because a stream that waits for more keeps what it has.</summary>
    private const long Capacity = 256 << 10;

    /// <summary>All jobs together never have more in use.</summary>
    private static readonly PooledMemoryStreamOptions s_streams = new() { Budget = new BufferBudget(16 << 20, "exports") };

    /// <inheritdoc/>
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        try
        {
            await ExportAsync(stoppingToken);
        }
        catch (Exception) when (!stoppingToken.IsCancellationRequested)
        {
            // The host logs it and stops, and would end with 0, as if the documents were made.
            Environment.ExitCode = 1;
            throw;
        }
    }

    private async Task ExportAsync(CancellationToken stoppingToken)
    {
        long bytes = 0;
        await Parallel.ForEachAsync(Enumerable.Range(0, Jobs), stoppingToken, async (job, stopping) =>
        {
            // Waits, with nothing in hand, until other jobs have returned their memory.
            using PooledMemoryStream document = await PooledMemoryStream.CreateAsync(s_streams, Capacity, stopping);
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
