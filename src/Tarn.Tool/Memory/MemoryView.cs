using Spectre.Console;
using Spectre.Console.Rendering;
using Tarn.Tool.Reports;
using Tarn.Tool.Watching;

namespace Tarn.Tool.Memory;

/// <summary>A snapshot for a terminal: one screen that adds up, then what to do.</summary>
/// <param name="width">The columns to draw in.</param>
/// <param name="hasColors">Whether it can show colors.</param>
internal sealed class MemoryView(int width, bool hasColors)
{
    private const int Widest = 110;
    private const int BytesWidth = 9;
    private const int BarWidth = 5;
    private const int ShownItems = 6;
    private const string Indent = "   ";

    private static readonly Dictionary<MemoryGroupKind, (string Name, string Color)> s_groups = new()
    {
        [MemoryGroupKind.GcHeap] = ("GC heap", "teal"),
        [MemoryGroupKind.Native] = ("native allocations", "darkorange"),
        [MemoryGroupKind.Tarn] = ("Tarn's native heaps", "green"),
        [MemoryGroupKind.Code] = ("code and types", "mediumpurple2"),
        [MemoryGroupKind.Stacks] = ("thread stacks", "gold3"),
        [MemoryGroupKind.Files] = ("mapped files", "steelblue1"),
        [MemoryGroupKind.Shared] = ("shared memory", "hotpink"),
        [MemoryGroupKind.Named] = ("named by others", "grey70"),
        [MemoryGroupKind.Unnamed] = ("unnamed", "grey50"),
    };

    private readonly int _width = Math.Min(width, Widest);
    private readonly int _nameWidth = width < 60 ? 22 : width < 100 ? 30 : 38;

    /// <summary>What people call a group.</summary>
    public static string NameOf(MemoryGroupKind kind) => s_groups[kind].Name;

    /// <summary>Draws a snapshot.</summary>
    /// <param name="snapshot">The snapshot.</param>
    /// <param name="history">The resident bytes of earlier ones; empty if this is the only one.</param>
    /// <param name="withAdvice">Whether to say what to do.</param>
    public IRenderable Draw(MemorySnapshot snapshot, IReadOnlyList<long> history, bool withAdvice)
    {
        List<IRenderable> rows = [.. Head(snapshot, history), Text.Empty];
        if (hasColors)
        {
            rows.AddRange([Bar(snapshot), Text.Empty]);
        }

        rows.Add(Parts(snapshot));
        if (snapshot.Growth is { } growth)
        {
            rows.AddRange([Text.Empty, .. Growth(growth)]);
        }

        rows.AddRange(Unknown(snapshot));
        if (withAdvice)
        {
            rows.Add(Text.Empty);
            rows.AddRange(Advice(snapshot));
        }

        return new Rows(rows);
    }

    private IEnumerable<IRenderable> Unknown(MemorySnapshot snapshot)
    {
        foreach ((int index, string one) in snapshot.Unknown.Index())
        {
            if (index == 0)
            {
                yield return Text.Empty;
            }

            foreach ((int line, string text) in Words.Wrap(one, _width - 2).Index())
            {
                yield return new Markup($"{(line == 0 ? "[yellow]·[/]" : " ")} [dim]{Words.Escape(text)}[/]");
            }
        }
    }

    private static IEnumerable<IRenderable> Head(MemorySnapshot snapshot, IReadOnlyList<long> history)
    {
        yield return new Markup(
            $"[bold]{Words.Escape(snapshot.Name)}[/]  [dim]process {snapshot.Process}  {Words.Escape(snapshot.Runtime)}  "
            + $"{snapshot.Threads:N0} threads[/]");
        List<string> facts = [$"[bold]{Words.Bytes(snapshot.ResidentBytes)}[/] resident"];
        if (history.Count > 1)
        {
            facts[0] += $"  [teal]{Sparkline.Of(history)}[/]";
        }
        else if (snapshot.PeakBytes > snapshot.ResidentBytes * 1.02)
        {
            facts.Add($"{Words.Bytes(snapshot.PeakBytes)} at most");
        }

        facts.Add(snapshot.Limit is { } limit
            ? $"{Words.Bytes(limit.FreeBytes)} left of a limit of {Words.Bytes(limit.Bytes)}"
            : "no limit");
        facts.Add($"beside it page tables {Words.Bytes(snapshot.PageTableBytes)}"
            + (snapshot.SwappedBytes > 0 ? $", swap {Words.Bytes(snapshot.SwappedBytes)}" : ""));
        yield return new Markup(string.Join("[dim] · [/]", facts));
    }

    /// <summary>The whole as a line, each group as long as its share.</summary>
    private Markup Bar(MemorySnapshot snapshot)
    {
        string bar = "";
        double sum = 0;
        int drawn = 0;
        foreach (MemoryGroup group in snapshot.Groups)
        {
            sum += group.ResidentBytes;
            int until = (int)Math.Round(sum * _width / Math.Max(1, snapshot.ResidentBytes));
            bar += until > drawn ? $"[{s_groups[group.Kind].Color}]{new string('█', until - drawn)}[/]" : "";
            drawn = Math.Max(drawn, until);
        }

        return new Markup(bar);
    }

    private Rows Parts(MemorySnapshot snapshot)
    {
        List<IRenderable> rows = [];
        foreach (MemoryGroup group in snapshot.Groups)
        {
            (string name, string color) = s_groups[group.Kind];
            double percent = 100.0 * group.ResidentBytes / Math.Max(1, snapshot.ResidentBytes);
            string share = percent < 0.5 ? "<1 %" : $"{percent:0} %";
            string only = group.Items is not [var item] ? ""
                : group.Kind is MemoryGroupKind.Shared or MemoryGroupKind.Named or MemoryGroupKind.Tarn ? item.Name
                : item.Detail;
            string head = $"[{color}]{(hasColors ? "█" : "■")}[/] [bold]{name}[/]";
            rows.Add(Row(head, name.Length + 2, group.ResidentBytes, share, "bold", only));
            MemoryItem[] shown = [.. group.Items.Where(IsShown)];
            if (shown.Length > 1)
            {
                rows.AddRange(shown.Take(ShownItems).Select(ItemRow));

                // What is within others is counted above: a sum with it would count it twice.
                MemoryItem[] folded = [.. shown.Skip(ShownItems)];
                rows.AddRange(Folded("", [.. folded.Where(item => !item.IsWithinOthers)]));
                rows.AddRange(Folded("of it ", [.. folded.Where(item => item.IsWithinOthers)]));
            }
        }

        return new Rows(rows);
    }

    private IEnumerable<Markup> Folded(string which, MemoryItem[] items)
    {
        if (items.Length > 0)
        {
            string text = $"{which}{items.Length} more";
            yield return Row($"    [dim]{text}[/]", 4 + text.Length, items.Sum(item => item.Bytes), "", "dim", "");
        }
    }

    private static bool IsShown(MemoryItem item) => !item.IsWithinOthers || item.Name.StartsWith("of it", StringComparison.Ordinal);

    private Markup ItemRow(MemoryItem item)
    {
        string free = item.FreeBytes is { } bytes && bytes < item.Bytes && bytes >= item.Bytes / 100 && bytes > 0
            ? $"{Words.Bytes(bytes)} of it free"
            : "";
        string detail = string.Join(", ", ((string[])[item.Detail, free]).Where(text => text.Length > 0));
        string name = Fit(item.Name, _nameWidth - 4);
        return Row($"    {Words.Escape(name)}", 4 + name.Length, item.Bytes, "", "default", detail);
    }

    /// <summary>A line: a name, its bytes, its share, and what fits behind.</summary>
    private Markup Row(string name, int length, long bytes, string share, string style, string detail)
    {
        string text = $"{name}{new string(' ', Math.Max(1, _nameWidth - length))}"
            + $"[{style}]{Words.Bytes(bytes),BytesWidth}[/]";
        int rest = _width - _nameWidth - BytesWidth - BarWidth - 4;
        string end = detail.Length == 0 || rest < 8
            ? share.Length == 0 ? "" : $"  {share,BarWidth}"
            : $"  {share,BarWidth}  [dim]{Words.Escape(Fit(detail, rest))}[/]";
        return new Markup(text + end);
    }

    private static string Fit(string text, int most) => text.Length <= most ? text
        : text.StartsWith('/') ? "…" + text[^(most - 1)..]
        : text[..(most - 1)] + "…";

    private IEnumerable<IRenderable> Growth(MemoryGrowth growth)
    {
        foreach (string line in Words.Wrap(growth.Sentence, _width))
        {
            yield return new Markup($"[bold]{Words.Escape(line)}[/]");
        }

        foreach (MemoryGrowth.Item item in growth.Items.Take(ShownItems))
        {
            string color = item.Bytes > 0 ? "red" : "green";
            string name = Fit($"{NameOf(item.Group)}: {item.Name}", _width - BytesWidth - 6);
            yield return new Markup($"  [{color}]{MemoryGrowth.Signed(item.Bytes),BytesWidth + 1}[/]  {Words.Escape(name)}");
        }
    }

    private IEnumerable<IRenderable> Advice(MemorySnapshot snapshot)
    {
        if (snapshot.Advice.Count == 0)
        {
            yield return new Markup("[bold]Nothing to do:[/] no part holds much that it does not use.");
            yield break;
        }

        yield return new Markup("[bold]What to do[/]");
        foreach ((int index, MemoryAdvice one) in snapshot.Advice.Index())
        {
            foreach ((int line, string text) in Words.Wrap(one.Action, _width - Indent.Length).Index())
            {
                yield return new Markup($"{(line == 0 ? $"{index + 1}. " : Indent)}{Words.Escape(text)}");
            }

            if (one.FreesUpToBytes is { } bytes)
            {
                yield return new Markup($"{Indent}[green]frees up to {Words.Bytes(bytes)}[/]");
            }

            foreach (string text in Words.Wrap(one.Evidence, _width - Indent.Length))
            {
                yield return new Markup($"{Indent}[dim]{Words.Escape(text)}[/]");
            }
        }
    }
}
