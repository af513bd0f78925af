using Spectre.Console;
using Spectre.Console.Rendering;
using Tarn.SharedMemory;
using Tarn.Tool.Reports;

namespace Tarn.Tool.Rings;

/// <summary>Shared memory for a terminal: a line of figures for each region, and below it who uses it.</summary>
/// <param name="width">The columns to draw in.</param>
internal sealed class RingsView(int width)
{
    private const int Widest = 120;
    private const int KindWidth = 7;
    private const int SizeWidth = 17;
    private const int LagWidth = 15;
    private const int MessagesWidth = 13;
    private const int BytesWidth = 10;
    private const int FiguresWidth = KindWidth + SizeWidth + LagWidth + MessagesWidth + BytesWidth;
    private const int LeastName = 12;
    private const string Indent = "  ";

    /// <summary>In place of a space within a part, so that lines break between parts.</summary>
    private const char Unbroken = '\u00a0';
    private const string Between = "\u00a0· ";

    private readonly int _width = Math.Min(width, Widest);

    /// <summary>Whether the figures have no room beside a name, so that they are below it.</summary>
    private bool IsNarrow => _width <= LeastName + FiguresWidth;

    /// <summary>The columns of a name.</summary>
    private int NameWidth => Math.Max(LeastName, _width - FiguresWidth - 1);

    public IRenderable Draw(RingsSnapshot snapshot)
    {
        List<IRenderable> rows = [];
        if (snapshot.Deletions is { } deletions)
        {
            rows.AddRange(Deletions(deletions));
            return new Rows(rows);
        }

        if (snapshot.Regions.Count == 0)
        {
            return new Markup($"No shared memory of Tarn has a name in {Words.Escape(snapshot.Folder)}.");
        }

        string head = "name".PadRight(NameWidth) + " " + "kind".PadRight(KindWidth) + Right("size", SizeWidth) + Right("to read", LagWidth)
            + Right("messages/s", MessagesWidth) + Right("bytes/s", BytesWidth);
        if (!IsNarrow)
        {
            rows.Add(new Markup($"[dim]{head}[/]"));
        }

        foreach (RegionEntry region in snapshot.Regions)
        {
            rows.Add(Head(region));
            IEnumerable<string> details = IsNarrow
                ? Figures(region).Concat(Details(region))
                : Details(region).Select(static part => part.Replace(' ', Unbroken));
            rows.AddRange(Lines(string.Join(Between, details), "dim"));
            rows.AddRange(Lines(region.Problem is { } problem ? $"! {problem}" : "", "yellow"));
        }

        return new Rows(rows);
    }

    private Markup Head(RegionEntry region)
    {
        if (IsNarrow)
        {
            return new Markup($"[bold]{Words.Escape(region.Name)}[/]");
        }

        string name = region.Name.Length <= NameWidth ? region.Name : region.Name[..(NameWidth - 1)] + "…";
        string figures = Kind(region).PadRight(KindWidth) + Right(Size(region), SizeWidth) + Right(Lag(region.Contents), LagWidth)
            + Right(Messages(region.Rate), MessagesWidth) + Right(region.Rate?.Bytes is { } bytes ? Words.Bytes(bytes) : "", BytesWidth);
        string gap = new(' ', NameWidth - name.Length + 1);
        return new Markup($"[bold]{Words.Escape(name)}[/]{gap}{Words.Escape(figures.TrimEnd())}");
    }

    private static string Kind(RegionEntry region) => region.Kind is { } known ? RegionFile.Noun(known).Split(' ')[^1] : "?";

    /// <summary>The figures with what they are.</summary>
    private static IEnumerable<string> Figures(RegionEntry region) =>
        new (string Figure, string What)[]
        {
            (Kind(region), ""), (Size(region), ""), (Lag(region.Contents), " to read"), (Messages(region.Rate), " messages/s"),
            (region.Rate?.Bytes is { } bytes ? Words.Bytes(bytes) : "", "/s"),
        }.Where(static one => one.Figure.Length > 0).Select(static one => one.Figure.Trim() + one.What);

    /// <summary>A figure at the right of its column; one that is too wide is still apart from its neighbor.</summary>
    private static string Right(string text, int width) => " " + text.PadLeft(width - 1);

    private static string Size(RegionEntry region) => region.Contents switch
    {
        null => Words.Bytes(region.Kind is null ? region.FileBytes : region.FileBytes - RegionHeader.Length),
        { Capacity: null } one => Words.Bytes(one.LongestBytes),
        { Unit: "bytes" } ring => Words.Bytes(ring.Capacity.Value),
        { } queue => $"{queue.Capacity:N0} × {Words.Bytes(queue.LongestBytes)}",
    };

    private static string Lag(RegionContents? contents)
    {
        if (contents?.Lag is not { } lag)
        {
            return "";
        }

        string text = contents.Unit == "bytes" ? Words.Bytes(lag) : $"{lag:N0}";
        return contents.Capacity is { } capacity && lag > 0 ? $"{text} {Percent((double)lag / capacity),5}" : text;
    }

    private static string Percent(double share) => share < 0.005 ? "<1 %" : $"{share * 100:0} %";

    private static string Messages(RegionRate? rate) => rate switch
    {
        null => "",
        { Messages: null } => "not seen",
        { } known => $"{(known.IsEstimated ? "~" : "")}{known.Messages:N0}",
    };

    /// <summary>Who uses a region, and where they are.</summary>
    private static IEnumerable<string> Details(RegionEntry region)
    {
        if (!region.IsOwn && region.User is { } user)
        {
            yield return $"of user {user}";
        }

        if (region.Creator is { } creator)
        {
            yield return Text(creator);
        }

        if (region.IsPersistent == true)
        {
            yield return "persistent";
        }

        if (region.Contents is not { } contents)
        {
            yield break;
        }

        RegionSide[] members = [.. contents.Sides.Where(static side => side.Role == "member")];
        foreach (RegionSide side in contents.Sides.Where(static side => side.Role != "member"))
        {
            bool hasPosition = side.State != SideState.Nobody && side.Position is not null && contents.Sides.Count > 1;
            yield return hasPosition ? $"{Text(side)} at {side.Position:N0}" : Text(side);
        }

        if (contents.Unit == "messages" && contents.Sides.Count == members.Length)
        {
            yield return Members(members);
        }

        if (contents.Sides.All(static side => side.Position is null) || contents.Sides.Count == 1)
        {
            yield return $"written {contents.WritePosition:N0}" + (contents.ReadPosition is { } read ? $", read {read:N0}" : "");
        }

        if (contents.Skipped > 0)
        {
            yield return $"skipped {contents.Skipped:N0}";
        }

        if (contents.Returned > 0)
        {
            yield return $"returned {contents.Returned:N0}";
        }
    }

    private static string Members(RegionSide[] members)
    {
        string[] groups =
        [
            .. members.GroupBy(static side => side with { Role = "" }).Select(static group =>
                Who(group.Key) + (group.Count() > 1 ? $" × {group.Count()}" : "")),
        ];
        return groups.Length == 0 ? "no members" : $"members {string.Join(", ", groups)}";
    }

    private static string Text(RegionSide side) => $"{side.Role} {Who(side)}";

    private static string Who(RegionSide side) => side.State switch
    {
        SideState.Nobody => "none yet",
        SideState.Running => side.ProcessName is { } name ? $"{name} {side.Process}" : $"{side.Process}",
        SideState.Left => $"{side.Process} left",
        SideState.Ended => $"{side.Process} ended",
        _ => $"{side.Process}, not seen from here",
    };

    private IEnumerable<IRenderable> Deletions(IReadOnlyList<RegionDeletion> deletions)
    {
        foreach (RegionDeletion one in deletions)
        {
            string name = $"[bold]{Words.Escape(one.Name)}[/]";
            yield return new Markup(one.IsDeleted ? $"[green]deleted[/] {name}  {Words.Bytes(one.FreedBytes)}" : $"kept    {name}");
            foreach (IRenderable line in Lines(one.Reason, "dim"))
            {
                yield return line;
            }
        }

        int deleted = deletions.Count(static one => one.IsDeleted);
        yield return new Markup(
            $"Deleted {deleted:N0}, {Words.Bytes(deletions.Sum(static one => one.FreedBytes))}; kept {deletions.Count - deleted:N0}.");
    }

    /// <summary>Breaks a text to lines that fit.</summary>
    private IEnumerable<IRenderable> Lines(string text, string style) =>
        text.Length == 0
            ? []
            : Words.Wrap(text, _width - Indent.Length)
                .Select(line => new Markup($"{Indent}[{style}]{Words.Escape(line.Replace(Unbroken, ' '))}[/]"));
}
