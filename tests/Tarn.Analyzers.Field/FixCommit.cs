using System.Text.RegularExpressions;

namespace Tarn.Analyzers.Field;

/// <summary>A commit of a public project that fixes a misuse of a pool: a row of the list.</summary>
/// <param name="Half">The half it is in: developing or unseen.</param>
/// <param name="Repository">Owner and name.</param>
/// <param name="Commit">The hash of the fix; its parent has the bug.</param>
/// <param name="Files">The files that the fix changes and that show the bug.</param>
/// <param name="Rules">The rules that the bug breaks.</param>
/// <param name="SeenWithin">How much code shows the bug: method, type, compilation or none.</param>
/// <param name="What">What was wrong.</param>
internal sealed partial record FixCommit(
    string Half,
    string Repository,
    string Commit,
    IReadOnlyList<string> Files,
    IReadOnlyList<string> Rules,
    string SeenWithin,
    string What)
{
    /// <summary>Reads a list with a line of headings.</summary>
    internal static IEnumerable<FixCommit> ReadAll(string path) =>
        from line in File.ReadLines(path).Skip(1)
        let cells = CellPattern().Matches(line).Select(static match => match.Value.Trim('"')).ToArray()
        select new FixCommit(cells[0], cells[1], cells[2], cells[3].Split(';'), cells[4].Split(';'), cells[5], cells[6]);

    [GeneratedRegex("(?<=^|,)(\"[^\"]*\"|[^,]*)")]
    private static partial Regex CellPattern();
}
