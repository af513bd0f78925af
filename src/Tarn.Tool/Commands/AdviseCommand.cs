using System.CommandLine;
using Tarn.Tool.Advice;
using Tarn.Tool.Analysis;
using Tarn.Tool.Reports;
using Tarn.Traces;

namespace Tarn.Tool.Commands;

/// <summary><c>advise</c>: what to change, checked by replaying the recording through other pools.</summary>
internal static class AdviseCommand
{
    private static readonly Argument<FileInfo> s_recording = new("recording") { Description = "A file that tarn record wrote." };

    private static readonly Option<int> s_processors = new("--processors")
    {
        Description = "The processors of the machine on which it was recorded, on which ArrayPool.Shared depends; by default this one's.",
        DefaultValueFactory = _ => Environment.ProcessorCount,
    };

    private static readonly Option<bool> s_json = new("--json") { Description = "Write JSON." };

    public static Command Create()
    {
        var command = new Command("advise", "Says what to change, and what other pools would have done with the recorded rents.");
        command.Arguments.Add(s_recording);
        command.Options.Add(s_processors);
        command.Options.Add(s_json);
        command.SetAction(line => ToolCommand.Guarded(() => Run(line)));
        return command;
    }

    private static int Run(ParseResult line)
    {
        int processors = line.GetValue(s_processors);
        if (processors < 1)
        {
            throw new InvalidDataException($"--processors is {processors}; it is 1 or more.");
        }

        BufferTrace trace = TraceFile.Read(line.GetValue(s_recording)!.FullName);
        Findings findings = TraceAnalysis.Of(trace);
        IReadOnlyList<PoolComparison> comparisons = Adviser.Compare(trace, findings, processors);
        if (findings.Rented == 0)
        {
            throw new InvalidDataException($"There is nothing to advise. {Verdict.Of(findings)}");
        }

        string[] gaps = [.. Words.Gaps(findings)];
        string[] advice = [.. Adviser.Advise(findings, comparisons)];
        if (line.GetValue(s_json))
        {
            Console.WriteLine(JsonText.Of(
                new { advice, gaps, pools = comparisons.Select(one => new { one.Pool.Name, one.Recorded, one.Others }) }));
            return 0;
        }

        foreach (string gap in gaps)
        {
            Console.Error.WriteLine($"tarn: {gap}");
        }

        foreach (string one in advice)
        {
            Console.WriteLine($"- {one}");
        }

        if (advice.Length == 0)
        {
            Console.WriteLine(
                $"Nothing to change{(gaps.Length > 0 ? " by what was recorded" : "")}: no buffer is likely lost or returned twice, and no "
                + "other pool would have allocated much less.");
        }

        foreach (PoolComparison comparison in comparisons)
        {
            Write(comparison);
        }

        return 0;
    }

    private static void Write(PoolComparison comparison)
    {
        Console.WriteLine();
        Console.WriteLine($"{comparison.Pool.Name}, {comparison.Pool.Rented:N0} rents");
        Console.WriteLine($"  {"pool",-32} {"allocated",10} {"of rents",9} {"dropped",9} {"elements kept at most",22}");
        foreach (ReplayResult one in comparison.Others.Prepend(comparison.Recorded))
        {
            Console.WriteLine(
                $"  {one.Name,-32} {one.Allocated,10:N0} {one.MissShare,9:P1} {Text(one.Dropped),9} {Text(one.MostRetained),22}");
        }
    }

    private static string Text(long? number) => number is { } known ? $"{known:N0}" : "-";
}
