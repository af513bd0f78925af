namespace Tarn.Lab.Model;

/// <summary>One experiment as a reader sees it: the question, pictures and tables.</summary>
internal sealed record Section
{
    /// <summary>Stable and unique: the name for <c>--only</c>.</summary>
    public required string Id { get; init; }

    public required string Title { get; init; }

    /// <summary>Plain text, a paragraph or two: the subject, the method, and how to read the results.</summary>
    public required string Text { get; init; }

    public IReadOnlyList<Chart> Charts { get; init; } = [];

    public IReadOnlyList<Table> Tables { get; init; } = [];
}

/// <summary>A table; a cell is a string, a double or null, as its column says.</summary>
internal sealed record Table
{
    public required string Id { get; init; }

    public required string Title { get; init; }

    public string Note { get; init; } = "";

    public required IReadOnlyList<Column> Columns { get; init; }

    public required IReadOnlyList<IReadOnlyList<object?>> Rows { get; init; }
}

internal sealed record Column(string Title, ColumnKind Kind);

/// <summary>How the cells of a column are shown and sorted.</summary>
internal enum ColumnKind
{
    Text,

    /// <summary>A plain number; counts and ratios.</summary>
    Number,

    /// <summary>Nanoseconds, shown with the unit that fits.</summary>
    Nanoseconds,

    /// <summary>Bytes, shown with the unit that fits.</summary>
    Bytes,

    /// <summary>1 or 0, shown as a word.</summary>
    YesNo,
}
