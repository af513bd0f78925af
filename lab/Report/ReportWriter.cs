using System.Text;
using System.Text.Json;
using Tarn.Lab.Model;
using Tarn.Lab.Report.Outline;
using Tarn.Lab.Report.Strips;

namespace Tarn.Lab.Report;

/// <summary>
/// Writes all files of a run: <c>report.html</c> to look at, <c>results.json</c> to compare with later, <c>report.md</c> to paste, one CSV
/// file a table and one SVG file a picture.
/// </summary>
internal static class ReportWriter
{
    /// <summary>The file with the figures.</summary>
    public const string Results = "results.json";

    private static readonly UTF8Encoding s_utf8 = new(encoderShouldEmitUTF8Identifier: false);

    /// <returns>The files written, the page first.</returns>
    public static IReadOnlyList<string> WriteAll(LabReport report, string directory)
    {
        var csv = Path.Combine(directory, "csv");
        Directory.CreateDirectory(csv);

        List<(string Path, string Text)> files =
        [
            (Path.Combine(directory, "report.html"), HtmlWriter.Write(report)),
            (Path.Combine(directory, Results), JsonSerializer.Serialize(report, ReportJson.Options) + "\n"),
            (Path.Combine(directory, "report.md"), MarkdownWriter.Write(report)),
            (Path.Combine(csv, "comparisons.csv"), CsvWriter.Write(report.Comparisons)),
        ];
        var names = new HashSet<string>(StringComparer.OrdinalIgnoreCase) { "comparisons" };
        foreach (var table in report.Sections.SelectMany(s => s.Tables))
        {
            files.Add((Path.Combine(csv, UniqueName(table.Id, names) + ".csv"), CsvWriter.Write(table)));
        }

        var pictures = Path.Combine(directory, "pictures");
        names.Clear();
        var subjects = ReportOutline.Of(report);
        if (!StripPicture.IsEmpty(subjects))
        {
            files.Add((Path.Combine(pictures, UniqueName("comparisons", names) + ".svg"), StripPicture.Standalone(subjects)));
        }

        foreach (var chart in report.Sections.SelectMany(s => s.Charts).Where(c => !SvgPicture.IsEmpty(c)))
        {
            files.Add((Path.Combine(pictures, UniqueName(chart.Id, names) + ".svg"), SvgPicture.Standalone(chart)));
        }

        Directory.CreateDirectory(pictures);
        foreach (var (path, text) in files)
        {
            File.WriteAllText(path, text, s_utf8);
        }

        return [.. files.Select(f => f.Path)];
    }

    /// <summary>
    /// Makes a file name from an id: characters that a file system refuses become dashes, and no table overwrites another.
    /// </summary>
    private static string UniqueName(string id, HashSet<string> taken)
    {
        var safe = string.Concat(id.Select(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '_' ? c : '-'));
        var name = safe;
        for (var i = 2; !taken.Add(name); i++)
        {
            name = $"{safe}-{i}";
        }

        return name;
    }
}
