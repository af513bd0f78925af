namespace Tarn.Pages;

/// <summary>A table; a cell is a string, a double or null, as its column says.</summary>
internal sealed record Table
{
    /// <summary>A longer table starts folded, because most readers want the picture above it.</summary>
    public const int OpenRows = 30;

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
