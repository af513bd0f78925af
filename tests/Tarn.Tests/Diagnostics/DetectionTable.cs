using System.Text;
using Tarn.Tests.Support;

namespace Tarn.Tests.Diagnostics;

/// <summary>The detections of the checks, as a table. Each cell is the result of a misuse that a child process really committed.</summary>
internal static class DetectionTable
{
    /// <summary>
    /// The sampling interval: one buffer in this many is tracked or guarded, and a sampled misuse is committed this many times.
    /// </summary>
    private static readonly (BufferChecks Checks, int Times)[] s_columns =
    [
        (BufferChecks.None, 1),
        (BufferChecks.Returns, 1),
        (BufferChecks.UseAfterReturn, 1),
        (BufferChecks.SampledLeaks, LeakSampling.Interval),
        (BufferChecks.Leaks, 1),
        (BufferChecks.All, 1),
        (BufferChecks.GuardPages, (int)CheckedBlocksOptions.DefaultGuardInterval),
    ];

    /// <summary>Commits every misuse under every check; the table of each part in markdown, under its heading.</summary>
    internal static string Make()
    {
        Dictionary<(string Part, string Kind), string[]> rows = [];
        for (int column = 0; column < s_columns.Length; column++)
        {
            (BufferChecks checks, int times) = s_columns[column];
            foreach ((string part, string kind, string result) in checks == BufferChecks.GuardPages
                ? rows.Keys.SelectMany(row => CommitAlone(row.Part, row.Kind, times))
                : Commit(checks, times))
            {
                rows.TryAdd((part, kind), new string[s_columns.Length]);
                rows[(part, kind)][column] = result;
            }
        }

        StringBuilder text = new();
        foreach (IGrouping<string, KeyValuePair<(string Part, string Kind), string[]>> part in rows.GroupBy(static row => row.Key.Part))
        {
            text.Append('\n').Append(Heading(part.Key)).Append("\n\n");
            text.Append("| misuse | ").AppendJoin(" | ", s_columns.Select(static column => $"`{column.Checks}`")).Append(" |\n");
            text.Append("|---|").Insert(text.Length, "---|", s_columns.Length).Append('\n');
            foreach (((_, string kind), string[] results) in part)
            {
                text.Append("| ").Append(kind).Append(" | ").AppendJoin(" | ", results).Append(" |\n");
            }
        }

        return text.Append('\n').ToString();
    }

    private static string Heading(string part) => $"### {char.ToUpperInvariant(part[0])}{part[1..]}";

    private static IEnumerable<(string Part, string Kind, string Result)> Commit(BufferChecks checks, int times) =>
        ChildProcess.Run(["misuse", $"{checks}", $"{times}"]).Select(Read);

    /// <summary>A misuse that may end the process runs in a process of its own.</summary>
    private static IEnumerable<(string Part, string Kind, string Result)> CommitAlone(string part, string kind, int times)
    {
        (int exitCode, string output, string error) =
            ChildProcess.RunToEnd(["misuse", $"{BufferChecks.GuardPages}", $"{times}", kind], limits: null);
        if (exitCode == 0)
        {
            return ChildProcess.Lines(output).Select(Read);
        }

        Assert.Contains("AccessViolationException", error, StringComparison.Ordinal);
        return [(part, kind, $"fault, 1 of {times}")];
    }

    private static (string Part, string Kind, string Result) Read(string line)
    {
        string[] parts = line.Split('\t');
        return (parts[0], parts[1], parts[2]);
    }
}
