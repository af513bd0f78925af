using System.Globalization;
using Tarn.Lab.Model;

namespace Tarn.Lab.Report.Facts;

/// <summary>Machine, software, settings and command as name and value, for the end of every report.</summary>
internal static class RunFacts
{
    public static string OneLine(RunInfo run) =>
        $"Tarn {ShortVersion(run.TarnVersion)}, {run.Mode} run, {Date(run)}, {run.Machine.Processor}, {Cores(run.Machine)}, "
        + run.Machine.Runtime;

    public static IEnumerable<(string Name, string Value)> Of(RunInfo run)
    {
        var machine = run.Machine;
        yield return ("Processor", $"{machine.Processor}, {Cores(machine)}");
        if (Caches(machine) is { Length: > 0 } caches)
        {
            yield return ("Caches", caches);
        }

        if (machine.MemoryBytes > 0)
        {
            yield return ("Memory", Quantity.Format(machine.MemoryBytes, "B"));
        }

        yield return ("Operating system", machine.OperatingSystem);
        yield return ("Runtime", machine.Runtime);
        yield return ("SDK", machine.Sdk);
        yield return ("Tarn", run.TarnVersion);
        yield return ("Run", $"{run.Mode}, {Date(run)}, took {Duration(run.DurationSeconds)}");
        foreach (var (name, value) in run.Settings.OrderBy(setting => setting.Key, StringComparer.Ordinal))
        {
            yield return (name, value);
        }

        yield return ("Command", run.Command);
    }

    /// <summary>A commit's first digits name it well enough here; the end of the report has all of them.</summary>
    private static string ShortVersion(string version)
    {
        const int Digits = 8;
        var commit = version.IndexOf('+', StringComparison.Ordinal) + 1;
        return commit > 0 && version.Length > commit + Digits ? version[..(commit + Digits)] : version;
    }

    private static string Date(RunInfo run) =>
        run.StartedAt.ToUniversalTime().ToString("d MMMM yyyy, HH:mm 'UTC'", CultureInfo.InvariantCulture);

    private static string Cores(Machine machine) => machine.LogicalCores == 1 ? "1 logical core" : $"{machine.LogicalCores} logical cores";

    private static string Caches(Machine machine)
    {
        (string Name, long Bytes)[] caches = [("L1 data", machine.L1DataBytes), ("L2", machine.L2Bytes), ("L3", machine.L3Bytes)];
        return string.Join(", ", caches.Where(c => c.Bytes > 0).Select(c => $"{c.Name} {Quantity.Format(c.Bytes, "B")}"));
    }

    private static string Duration(double seconds)
    {
        if (!double.IsFinite(seconds) || seconds < 60)
        {
            return Quantity.Format(seconds, "s");
        }

        var span = TimeSpan.FromSeconds(seconds);
        return span.TotalHours >= 1 ? $"{(int)span.TotalHours} h {span.Minutes} min" : $"{span.Minutes} min {span.Seconds} s";
    }
}
