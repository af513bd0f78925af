using System.CommandLine;
using Spectre.Console;
using Spectre.Console.Rendering;
using Tarn.Pages;
using Tarn.Tool.Processes;
using Tarn.Tool.Reports;

namespace Tarn.Tool.Commands;

/// <summary><c>ps</c>: the processes that can be attached to.</summary>
internal static class PsCommand
{
    /// <summary>The columns below which a table would leave a command line a few letters a line.</summary>
    private const int LeastTable = 100;

    private static readonly Option<bool> s_json = new("--json") { Description = "Write JSON." };

    public static Command Create()
    {
        var command = new Command("ps", "Lists the .NET processes that can be attached to, and which pools they have loaded.");
        command.Options.Add(s_json);
        command.SetAction(line => ToolCommand.Guarded(() => Run(line.GetValue(s_json))));
        return command;
    }

    /// <summary>A process as lines, where columns would be too narrow to read.</summary>
    private static IEnumerable<IRenderable> Narrow(DotnetProcess process, int width)
    {
        yield return new Spectre.Console.Markup($"{process.Id} [bold]{Words.Escape(process.Name)}[/]");
        string[] facts = [process.Runtime, string.Join(", ", process.Pools), process.Problem ?? process.Command];
        foreach (string line in facts.Where(static fact => fact.Length > 0).SelectMany(fact => Words.Wrap(fact, width - 2)))
        {
            yield return new Padder(new Spectre.Console.Markup($"[dim]{Words.Escape(line)}[/]"), new Padding(2, 0, 0, 0));
        }
    }

    private static int Run(bool asJson)
    {
        IReadOnlyList<DotnetProcess> processes = ProcessFinder.List();
        if (asJson)
        {
            Console.WriteLine(JsonText.Of(processes));
        }
        else if (processes.Count == 0)
        {
            Console.Error.WriteLine(
                $"No .NET process has a diagnostics socket in {Path.GetTempPath()}. Processes of containers, or with another TMPDIR, "
                + "have theirs elsewhere: set TMPDIR to that folder.");
        }
        else
        {
            Write(processes);
        }

        return 0;
    }

    private static void Write(IReadOnlyList<DotnetProcess> processes)
    {
        if (!Terminal.IsSeen)
        {
            // A table would break its lines at a width that no one sees.
            foreach (DotnetProcess process in processes)
            {
                string pools = string.Join(",", process.Pools);
                string[] fields = [process.Runtime, process.Name, pools, process.Problem ?? process.Command];
                Console.WriteLine($"{process.Id}\t{string.Join('\t', fields.Select(ForeignText.Line))}");
            }

            return;
        }

        int width = Terminal.Output.Profile.Width;
        if (width < LeastTable)
        {
            Terminal.Output.Write(new Rows(processes.SelectMany(process => Narrow(process, width))));
            return;
        }

        var table = new Spectre.Console.Table().Border(TableBorder.None);
        table.AddColumn(new TableColumn("[dim]process[/]").RightAligned());
        foreach (string title in (string[])["runtime", "name", "pools", "command"])
        {
            table.AddColumn($"[dim]{title}[/]");
        }

        foreach (DotnetProcess process in processes)
        {
            table.AddRow(
                process.Id.ToString(System.Globalization.CultureInfo.InvariantCulture),
                Words.Escape(process.Runtime),
                $"[bold]{Words.Escape(process.Name)}[/]",
                Words.Escape(string.Join(", ", process.Pools)),
                $"[dim]{Words.Escape(process.Problem ?? process.Command)}[/]");
        }

        Terminal.Output.Write(table);
    }
}
