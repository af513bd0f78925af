using System.CommandLine;
using Tarn.Lab.Report;

namespace Tarn.Lab.Running;

/// <summary><c>report</c>: writes the files of a report anew from its <c>results.json</c>.</summary>
internal static class ReportCommand
{
    private static readonly Argument<FileInfo> s_results = new("results") { Description = "The results.json of an earlier run." };

    public static Command Create()
    {
        var command = new Command("report", "Measures nothing: writes page, pictures and tables of an earlier run anew.");
        command.Arguments.Add(s_results);
        command.SetAction(line => LabCommand.Guarded(
            () => Write(line.GetValue(s_results)!, LabCommand.ReadOptions(line).OutputDirectory)));
        return command;
    }

    private static int Write(FileInfo results, string directory)
    {
        foreach (string file in ReportWriter.WriteAll(ReportReader.Read(results.FullName), directory))
        {
            Console.WriteLine(file);
        }

        return 0;
    }
}
