using System.Globalization;

namespace Tarn.Torture.Running;

/// <summary>
/// Shows the running attack and the time left: on a terminal a line that is overwritten, elsewhere a line at each slice's end.
/// </summary>
internal sealed class ProgressDisplay(TextWriter output, bool isTerminal)
{
    private const int Width = 100;

    internal void Begin(int number, int of, Slice slice, TimeSpan left)
    {
        if (isTerminal)
        {
            output.Write("\r" + $"{Head(number, of, slice)}, {Text(left)} left".PadRight(Width));
            output.Flush();
        }
    }

    internal void End(int number, int of, Slice slice, SliceResult result)
    {
        if (isTerminal)
        {
            output.Write("\r".PadRight(Width) + "\r");
        }
        else
        {
            output.WriteLine($"{Head(number, of, slice)}: {Summary.Describe(result.Counts)}");
        }

        if (result.Finding is { } finding)
        {
            output.WriteLine();
            output.WriteLine($"FINDING of the attack {slice.Attack}: {finding}");
            output.WriteLine($"Repeat it: {TortureOptions.ToCommand(slice)}");
            output.WriteLine();
        }

        output.Flush();
    }

    private static string Head(int number, int of, Slice slice) =>
        string.Create(CultureInfo.InvariantCulture, $"{number}/{of} {slice.Attack}, seed {slice.Seed}, {slice.Seconds:0.0} s");

    private static string Text(TimeSpan left) => left.TotalSeconds < 90
        ? string.Create(CultureInfo.InvariantCulture, $"{Math.Max(0, left.TotalSeconds):0} s")
        : string.Create(CultureInfo.InvariantCulture, $"{left.TotalMinutes:0.0} min");
}
