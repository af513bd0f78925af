namespace Tarn.Tests.Tidy;

/// <summary>The table of ARCHITECTURE.md: which folder may use which, in the order of the rows.</summary>
internal sealed class LayerTable
{
    private readonly List<string> _order = [];
    private readonly Dictionary<string, HashSet<string>> _mayUse = [];

    private LayerTable()
    {
    }

    internal IReadOnlyList<string> Folders => _order;

    /// <summary>Reads the table whose heading is <c>folder of PROJECT | holds | may use</c>.</summary>
    internal static LayerTable Read(string markdown, string project)
    {
        LayerTable table = new();
        bool inTable = false;
        foreach (string line in markdown.Split('\n'))
        {
            string[] cells = [.. line.Trim().Trim('|').Split('|').Select(cell => cell.Trim())];
            if (cells is [var heading, "holds", "may use"] && heading == $"folder of {project}")
            {
                inTable = true;
            }
            else if (inTable && (cells.Length != 3 || !line.Contains('|', StringComparison.Ordinal)))
            {
                break;
            }
            else if (inTable && !cells[0].StartsWith("---", StringComparison.Ordinal))
            {
                table._order.Add(cells[0]);
                table._mayUse.Add(cells[0], cells[2] == "nothing" ? [] : [.. cells[2].Split(',', StringSplitOptions.TrimEntries)]);
            }
        }

        return table;
    }

    /// <summary>Rows that allow a folder which is not above them.</summary>
    internal IEnumerable<string> FindRowsOutOfOrder() =>
        from folder in _order
        from used in _mayUse[folder]
        where _order.IndexOf(used) < 0 || _order.IndexOf(used) >= _order.IndexOf(folder)
        select $"{folder} may use {used}, which does not stand above it";

    internal bool Allows(string folder, string used) => _mayUse.TryGetValue(folder, out HashSet<string>? allowed) && allowed.Contains(used);

    /// <summary>Permissions that no source makes use of.</summary>
    internal IEnumerable<string> FindUnused(IReadOnlyCollection<LayerUse> uses) =>
        from folder in _order
        from used in _mayUse[folder]
        where !uses.Any(use => use.From == folder && use.To == used)
        select $"{folder} may use {used}, and uses nothing of it";
}
