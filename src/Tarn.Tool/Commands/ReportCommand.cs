using System.CommandLine;
using Tarn.Pages;
using Tarn.Tool.Analysis;
using Tarn.Tool.Reports;
using Tarn.Traces;

namespace Tarn.Tool.Commands;

/// <summary><c>report</c>: writes what a recording shows as a page, and for programs and issues.</summary>
internal static class ReportCommand
{
    private static readonly Argument<FileInfo> s_recording = new("recording") { Description = "A file that tarn record wrote." };

    private static readonly Option<FileInfo?> s_output = new("--output", "-o")
    {
        Description = "The page to write; by default beside the recording, with the ending .html, unless another format is asked for.",
        HelpName = "FILE",
    };

    private static readonly Option<string?> s_json = Format("--json", "Write the findings as JSON.");
    private static readonly Option<string?> s_markdown = Format("--markdown", "Write the findings as markdown.");
    private static readonly Option<string?> s_speedscope = Format("--speedscope", "Write the allocations for speedscope.app.");

    public static Command Create()
    {
        var command = new Command("report", "Writes what a recording shows: lost buffers, double returns, hold times, allocations.");
        command.Arguments.Add(s_recording);
        command.Options.Add(s_output);
        command.Options.Add(s_json);
        command.Options.Add(s_markdown);
        command.Options.Add(s_speedscope);
        command.SetAction(line => ToolCommand.Guarded(() => Run(line)));
        return command;
    }

    private static int Run(ParseResult line)
    {
        string recording = line.GetValue(s_recording)!.FullName;
        BufferTrace trace = TraceFile.Read(recording);
        (string? Path, Func<Findings, string> Write)[] formats =
        [
            (line.GetValue(s_json), JsonReport.Write), (line.GetValue(s_markdown), MarkdownReport.Write),
            (line.GetValue(s_speedscope), SpeedscopeReport.Write),
        ];
        string? page = line.GetValue(s_output)?.FullName;
        if (page is null && formats.All(format => format.Path is null))
        {
            page = Path.ChangeExtension(recording, ".html");
        }

        (OutputFile? File, Func<Findings, string> Write)[] files =
        [
            .. formats.Append((page, HtmlReport.Write)).Where(static format => format.Item1 is not null)
                .Select(format => (Open(format.Item1!, recording), format.Item2)),
        ];
        Findings findings = TraceAnalysis.Of(trace);
        foreach ((OutputFile? file, Func<Findings, string> write) in files)
        {
            if (file is null)
            {
                Console.WriteLine(write(findings));
            }
            else
            {
                using (file)
                {
                    Terminal.Tell(file.Write(write(findings)));
                }
            }
        }

        Console.Error.WriteLine(Verdict.Of(findings));
        foreach (string warning in Words.Gaps(findings))
        {
            Console.Error.WriteLine(warning);
        }

        return 0;
    }

    private const string StandardOutput = "-";

    /// <summary>Null for the standard output.</summary>
    private static OutputFile? Open(string path, string recording) => path == StandardOutput ? null
        : Path.GetFullPath(path) == recording
            ? throw new InvalidDataException($"{recording} is the recording, which stays: name another file.")
        : OutputFile.Open(path);

    private static Option<string?> Format(string name, string description) => new(name)
    {
        Description = $"{description} - is the standard output.",
        HelpName = "FILE",
    };
}
