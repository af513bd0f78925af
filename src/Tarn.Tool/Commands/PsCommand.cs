using System.CommandLine;
using Spectre.Console;
using Tarn.Tool.Processes;
using Tarn.Tool.Reports;

namespace Tarn.Tool.Commands;

/// <summary><c>ps</c>: the processes that can be attached to.</summary>
internal static class PsCommand
{
    private static readonly Option<bool> s_json = new("--json") { Description = "Write JSON." };

    public static Command Create()
    {
        var command = new Command("ps", "Lists the .NET processes that can be attached to, and which pools they have loaded.");
        command.Options.Add(s_json);
        command.SetAction(line => ToolCommand.Guarded(() => Run(line.GetValue(s_json))));
        return command;
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
                Console.WriteLine($"{process.Id}\t{process.Runtime}\t{process.Name}\t{pools}\t{process.Problem ?? process.Command}");
            }

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
                Markup.Escape(process.Runtime),
                $"[bold]{Markup.Escape(process.Name)}[/]",
                Markup.Escape(string.Join(", ", process.Pools)),
                $"[dim]{Markup.Escape(process.Problem ?? process.Command)}[/]");
        }

        Terminal.Output.Write(table);
    }
}
