using System.CommandLine;
using Tarn.Lab.Model;
using Tarn.Lab.Report;
using Tarn.Lab.Report.Outline;
using Tarn.Lab.Report.Strips;

namespace Tarn.Lab.Running;

/// <summary><c>report</c>: draws the results of earlier runs, and measures nothing.</summary>
internal static class ReportCommand
{
    private static readonly Argument<FileInfo[]> s_results = new("results")
    {
        Description = "The results.json of an earlier run; with --strip, of several.",
        Arity = ArgumentArity.OneOrMore,
    };

    private static readonly Option<FileInfo?> s_strip = new("--strip")
    {
        Description = "Write only the picture of every comparison, with those of all runs named.",
        HelpName = "FILE.svg",
    };

    public static Command Create()
    {
        var command = new Command("report", "Measures nothing: writes the report of an earlier run again from its results.json.");
        command.Arguments.Add(s_results);
        command.Options.Add(s_strip);
        command.SetAction(result => LabCommand.Guarded(() => Write(
            result.GetValue(s_results)!, result.GetValue(s_strip), LabCommand.ReadOptions(result).OutputDirectory)));
        return command;
    }

    private static int Write(FileInfo[] results, FileInfo? strip, string directory)
    {
        LabReport[] reports = [.. results.Select(file => ReportReader.Read(file.FullName))];
        if (strip is not null)
        {
            WriteStrip(reports, strip.FullName);
            return 0;
        }

        if (reports.Length > 1)
        {
            throw new InvalidDataException("A report describes one run. Name one results.json, or use --strip for one picture of several "
                + "runs.");
        }

        foreach (string file in ReportWriter.WriteAll(reports[0], directory))
        {
            Console.WriteLine(file);
        }

        return 0;
    }

    private static void WriteStrip(LabReport[] reports, string path)
    {
        LabReport all = reports[0] with
        {
            Comparisons = [.. reports.SelectMany(report => report.Comparisons)],
            Sections = [.. reports.SelectMany(report => report.Sections)],
        };
        IReadOnlyList<SubjectOutline> subjects = ReportOutline.Of(all);
        if (StripPicture.IsEmpty(subjects))
        {
            throw new InvalidDataException("These runs have no comparisons, so there is no picture to draw.");
        }

        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, StripPicture.Standalone(subjects));
        Console.WriteLine(path);
    }
}
