using System.Collections.Concurrent;
using System.Diagnostics;
using System.Diagnostics.Tracing;
using System.Globalization;
using System.Security.Cryptography;
using Microsoft.Diagnostics.NETCore.Client;
using Microsoft.Diagnostics.Tracing;
using Tarn.Diagnostics;
using Tarn.Tool.Processes;
using Tarn.Traces;

namespace Tarn.Tool.Asking;

/// <summary>Asks the library in a process for a report, which arrives as events.</summary>
internal static class ProcessReport
{
    private const string EndName = "ReportEnded";
    private const long Reports = 2;
    private const int BufferMegabytes = 64;

    /// <summary>
    /// Events that come by the clock: the last events of a session wait for others behind them before they reach the reader.
    /// </summary>
    private static readonly EventPipeProvider s_heartbeat = new(
        "System.Runtime", EventLevel.Informational, 0, new Dictionary<string, string> { ["EventCounterIntervalSec"] = "0.2" });

    /// <summary>Asks for a report and returns its events, in order.</summary>
    /// <param name="process">The process.</param>
    /// <param name="kind">What to ask for: <c>State</c> or <c>Profile</c>.</param>
    /// <param name="patience">How long to wait.</param>
    /// <param name="hint">What else to do if the process has no such report.</param>
    /// <param name="end">Ends the wait early.</param>
    /// <exception cref="RecordingException">The process cannot be attached to, does not answer, or has no such report.</exception>
    public static IReadOnlyList<ReportPart> Ask(DotnetProcess process, string kind, TimeSpan patience, string hint, CancellationToken end)
    {
        int id = RandomNumberGenerator.GetInt32(int.MaxValue);
        Dictionary<string, string> arguments = new()
        {
            ["Report"] = kind,
            ["ReportId"] = id.ToString(CultureInfo.InvariantCulture),
        };
        using var parts = new BlockingCollection<ReportPart>();
        using var session = ProcessSession.Start(
            process.Id,
            [new(BufferDiagnostics.EventSourceName, EventLevel.Critical, Reports, arguments), s_heartbeat],
            BufferMegabytes,
            one =>
            {
                if (one.ProviderName == BufferDiagnostics.EventSourceName && Equals(one.PayloadByName(ReportPart.IdName), id))
                {
                    parts.Add(new ReportPart(one));
                }
            });
        return Receive(process, parts, patience, hint, end);
    }

    private static List<ReportPart> Receive(
        DotnetProcess process, BlockingCollection<ReportPart> parts, TimeSpan patience, string hint, CancellationToken end)
    {
        List<ReportPart> report = [];
        var watch = Stopwatch.StartNew();
        try
        {
            while (watch.Elapsed < patience)
            {
                if (!parts.TryTake(out ReportPart? part, Math.Max(1, (int)(patience - watch.Elapsed).TotalMilliseconds), end))
                {
                    break;
                }

                if (part.Name == EndName)
                {
                    Verify(process, part, report.Count, hint);
                    return report;
                }

                report.Add(part);
            }
        }
        catch (OperationCanceledException)
        {
            throw new RecordingException($"{Describe(process)} was not waited for any longer.");
        }

        throw new RecordingException(
            $"{Describe(process)} did not answer within {patience.TotalSeconds:0.#} s. It answers if it uses Tarn, and one of Tarn's pools "
            + "or heaps has allocated a buffer. For programs without Tarn there is tarn watch.");
    }

    private static void Verify(DotnetProcess process, ReportPart end, int received, string hint)
    {
        int sent = end.Get<int>("parts");
        string failure = end.Get<string>("failure");
        if (failure.Length > 0)
        {
            throw new RecordingException($"{Describe(process)} has no such report: {failure} {hint}".TrimEnd());
        }

        if (received != sent)
        {
            throw new RecordingException(
                $"Only {received} of {sent} parts of the report of {Describe(process)} arrived, because the process writes more events "
                + "than can be read: try again.");
        }
    }

    private static string Describe(DotnetProcess process) => $"{process.Name}, process {process.Id},";
}
