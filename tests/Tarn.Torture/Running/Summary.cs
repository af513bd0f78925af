using System.Globalization;
using Tarn.Torture.Attacks;

namespace Tarn.Torture.Running;

/// <summary>The counts per attack, over all slices.</summary>
internal sealed class Summary
{
    /// <summary>Counts that are maxima, and so are not added up.</summary>
    private static readonly string[] s_most = ["at once", "at most"];

    private readonly Dictionary<string, Total> _totals = [];

    internal int Findings => _totals.Values.Sum(static total => total.Commands.Count);

    internal static string Describe(IReadOnlyDictionary<string, long> counts) => counts.Count == 0
        ? "nothing"
        : string.Join(", ", counts.Select(static count => string.Create(CultureInfo.InvariantCulture, $"{count.Value:N0} {count.Key}")));

    internal void Add(Slice slice, SliceResult result, TimeSpan elapsed)
    {
        if (!_totals.TryGetValue(slice.Attack, out Total? total))
        {
            _totals.Add(slice.Attack, total = new Total());
        }

        total.Seconds += elapsed.TotalSeconds;
        total.Skipped.UnionWith(result.Skipped);
        foreach ((string what, long number) in result.Counts)
        {
            long before = total.Counts.GetValueOrDefault(what);
            bool isMost = s_most.Any(end => what.EndsWith(end, StringComparison.Ordinal));
            total.Counts[what] = isMost ? Math.Max(before, number) : before + number;
        }

        if (result.Finding is not null)
        {
            total.Commands.Add(TortureOptions.ToCommand(slice));
        }
    }

    internal void Write(TextWriter output, IEnumerable<IAttack> attacks)
    {
        output.WriteLine();
        foreach (IAttack attack in attacks)
        {
            if (_totals.TryGetValue(attack.Name, out Total? total))
            {
                output.WriteLine(string.Create(
                    CultureInfo.InvariantCulture, $"{attack.Name,-9}{total.Seconds,7:0.0} s  {Describe(total.Counts)}"));
                foreach (string reason in total.Skipped.Order(StringComparer.Ordinal))
                {
                    output.WriteLine($"{"",-9}skipped: {reason}");
                }
            }
        }

        output.WriteLine();
        output.WriteLine(Findings switch
        {
            0 => "No finding.",
            1 => "1 finding. Repeat it:",
            int findings => $"{findings} findings. Repeat them:",
        });
        foreach (string command in _totals.Values.SelectMany(static total => total.Commands))
        {
            output.WriteLine(command);
        }
    }

    private sealed class Total
    {
        internal double Seconds { get; set; }

        internal Dictionary<string, long> Counts { get; } = [];

        internal HashSet<string> Skipped { get; } = [];

        internal List<string> Commands { get; } = [];
    }
}
