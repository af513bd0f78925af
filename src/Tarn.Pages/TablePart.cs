using System.Globalization;

namespace Tarn.Pages;

/// <summary>
/// A table that sorts by its raw values. Where the screen is too narrow for its columns every row becomes a card, by CSS alone; the
/// script adds a list to sort the cards by.
/// </summary>
internal static class TablePart
{
    public static void Write(Markup html, Table table, IReadOnlySet<string> ours)
    {
        var fold = table.Rows.Count > Table.OpenRows;
        if (fold)
        {
            html.Raw($"<details class=\"fold\"><summary>{Markup.Encode(table.Title)} <span>{table.Rows.Count} rows</span></summary>\n");
        }

        html.Raw($"<div class=\"table {WidthClass(table.Columns.Count)}\" id=\"{Markup.Anchor("table", table.Id)}\">\n");
        if (!fold)
        {
            html.Text("h4", table.Title);
        }

        html.Raw($"<table class=\"sortable\" aria-label=\"{Markup.Encode(table.Title)}\">\n");
        WriteHead(html, table.Columns);
        html.Raw("<tbody>\n");
        var shown = table.Columns.Select((_, i) => Quantity.ForColumn(table, i)).ToList();
        foreach (var row in table.Rows)
        {
            WriteRow(html, table.Columns, shown, row, ours);
        }

        html.Raw("</tbody></table>\n");
        if (table.Note.Length > 0)
        {
            html.Text("p class=\"note\"", table.Note);
        }

        html.Raw(fold ? "</div></details>\n" : "</div>\n");
    }

    /// <summary>How many columns decides at which width a row becomes a card; three fit on a phone.</summary>
    public static string WidthClass(int columns) => columns switch
    {
        <= 3 => "slim",
        <= 6 => "medium",
        <= 9 => "wide",
        _ => "widest",
    };

    public static void WriteHead(Markup html, IEnumerable<Column> columns)
    {
        html.Raw("<thead><tr>");
        foreach (var column in columns)
        {
            html.Raw($"<th scope=\"col\" class=\"{Class(column.Kind)}{(HasLongWord(column.Title) ? " long" : "")}\">"
                + $"<button type=\"button\">{Breakable(column.Title)}</button></th>");
        }

        html.Raw("</tr></thead>\n");
    }

    /// <param name="anchor">Makes the text a link to that place of the page; empty makes none.</param>
    public static void WriteCell(Markup html, Column column, string shown, string sortBy, string anchor = "")
    {
        var text = anchor.Length > 0 ? $"<a href=\"#{anchor}\">{Markup.Encode(shown)}</a>" : Markup.Encode(shown);
        html.Raw($"<td class=\"{Class(column.Kind)}\" data-label=\"{Markup.Encode(column.Title)}\" ");
        html.Raw($"data-sort=\"{Markup.Encode(sortBy)}\">{text}</td>");
    }

    /// <summary>Empty for unmeasured values: the script keeps such rows last in either order.</summary>
    public static string SortKey(double value) => double.IsFinite(value) ? value.ToString("R", CultureInfo.InvariantCulture) : "";

    private static void WriteRow(
        Markup html,
        IReadOnlyList<Column> columns,
        List<Func<object?, string>> shown,
        IReadOnlyList<object?> row,
        IReadOnlySet<string> ours)
    {
        html.Raw(row.Any(cell => cell is string text && ours.Contains(text)) ? "<tr class=\"ours\">" : "<tr>");
        for (var i = 0; i < columns.Count; i++)
        {
            var cell = row.ElementAtOrDefault(i);
            WriteCell(html, columns[i], shown[i](cell), cell as string ?? SortKey(Quantity.ToDouble(cell)));
        }

        html.Raw("</tr>\n");
    }

    /// <summary>Names of types have no spaces: they may break before a dot or an angle bracket.</summary>
    private static string Breakable(string title) =>
        Markup.Encode(title).Replace(".", "<wbr>.", StringComparison.Ordinal).Replace("&lt;", "<wbr>&lt;", StringComparison.Ordinal);

    /// <summary>A word that would push a phone's table off the screen; it may break anywhere.</summary>
    private static bool HasLongWord(string title) => title.Split(' ', '.', '<').Any(word => word.Length > 11);

    private static string Class(ColumnKind kind) => kind switch
    {
        ColumnKind.Text => "text",
        ColumnKind.YesNo => "word",
        _ => "number",
    };
}
