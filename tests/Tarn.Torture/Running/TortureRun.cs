using System.Diagnostics;
using System.Globalization;
using Tarn.Torture.Attacks;

namespace Tarn.Torture.Running;

/// <summary>Makes the attacks, one slice after the other, shows how far it is, and sums up. A finding does not end it.</summary>
/// <param name="attacks">The attacks to make.</param>
/// <param name="execute">Makes one.</param>
/// <param name="output">Where progress and summary go.</param>
/// <param name="isTerminal">Whether a line there can be overwritten.</param>
internal sealed class TortureRun(
    IReadOnlyList<IAttack> attacks, Func<Slice, SliceResult> execute, TextWriter output, bool isTerminal)
{
    /// <summary>Exit code of a run with a finding.</summary>
    internal const int Found = 1;

    /// <summary>Runs for as long as the options say; returns the exit code.</summary>
    internal int Run(TortureOptions options)
    {
        SlicePlan plan = new(attacks, options.Duration, options.Seed);
        ProgressDisplay progress = new(output, isTerminal);
        Summary summary = new();
        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"Seed {options.Seed}, {options.Minutes} minutes, {plan.Count} time slices of {attacks.Count} attacks."));
        Stopwatch elapsed = Stopwatch.StartNew();
        for (int index = 0; index < plan.Count; index++)
        {
            TimeSpan began = elapsed.Elapsed;
            Slice slice = plan.At(index, began);
            progress.Begin(index + 1, plan.Count, slice, options.Duration - began);
            SliceResult result = execute(slice);
            summary.Add(slice, result, elapsed.Elapsed - began);
            progress.End(index + 1, plan.Count, slice, result);
        }

        summary.Write(output, attacks);
        return summary.Findings > 0 ? Found : 0;
    }
}
