using System.CommandLine;
using Spectre.Console;
using Spectre.Console.Rendering;
using Tarn.SharedMemory;
using Tarn.Tool.Reports;
using Tarn.Tool.Rings;

namespace Tarn.Tool.Commands;

/// <summary><c>rings</c>: the shared memory of this machine, who uses it, and who is behind.</summary>
internal static class RingsCommand
{
    private static readonly TimeSpan s_keyPause = TimeSpan.FromMilliseconds(50);

    private static readonly Option<bool> s_json = new("--json") { Description = "Write JSON; with --watch an object for each interval." };
    private static readonly Option<bool> s_watch = new("--watch") { Description = "Show it live, until q or Ctrl+C." };

    private static readonly Option<bool> s_delete = new("--delete-abandoned")
    {
        Description = "Delete those whose creators have exited and that no process has open, and say of each other one why it was kept. "
            + "Persistent ones are kept.",
    };

    private static readonly Option<string[]> s_named = new("--delete")
    {
        Description = "Delete the one of this name in the same way, also a persistent one.",
        HelpName = "name",
    };

    private static readonly Option<TimeSpan> s_interval = DurationOption.Create(
        "--interval", "How long to count messages; with --watch how often to look.", TimeSpan.FromSeconds(1));

    public static Command Create()
    {
        var command = new Command(
            "rings", "Lists shared regions, rings, queues and values: who has them, how far they are, and how many messages pass.");
        command.Options.Add(s_json);
        command.Options.Add(s_watch);
        command.Options.Add(s_delete);
        command.Options.Add(s_named);
        command.Options.Add(s_interval);
        command.SetAction(line => ToolCommand.Guarded(() => Run(line)));
        return command;
    }

    private static int Run(ParseResult line)
    {
        (bool isJson, bool isWatch, bool deletes) = (line.GetValue(s_json), line.GetValue(s_watch), line.GetValue(s_delete));
        string[] named = line.GetValue(s_named) ?? [];
        if (isWatch && (deletes || named.Length > 0))
        {
            throw new InvalidDataException("--watch and --delete-abandoned do not go together: delete first, and watch then.");
        }

        TimeSpan interval = line.GetValue(s_interval);
        NamedMemory names = NamedMemory.Current;
        using var interruption = new Interruption();
        if (deletes || named.Length > 0)
        {
            return Delete(names, named, deletes, isJson);
        }

        var probe = new RegionProbe(names);
        if (isWatch)
        {
            Watch(probe, interval, isJson, interruption.Token);
            return 0;
        }

        RingsSnapshot snapshot = probe.Take();
        if (snapshot.Regions.Any(static region => region.Contents is not null) && !interruption.Token.WaitHandle.WaitOne(interval))
        {
            snapshot = probe.Take();
        }

        Write(isJson ? JsonText.Of(snapshot) : null, snapshot);
        return 0;
    }

    private static int Delete(NamedMemory names, string[] named, bool abandoned, bool isJson)
    {
        IReadOnlyList<RegionDeletion> deletions =
        [
            .. named.Select(name => AbandonedRegions.DeleteNamed(names, name)), .. abandoned ? AbandonedRegions.Delete(names) : [],
        ];
        RingsSnapshot left = new RegionProbe(names).Take() with { Deletions = deletions };
        Write(isJson ? JsonText.Of(left) : null, left);
        return 0;
    }

    private static void Write(string? json, RingsSnapshot snapshot)
    {
        if (json is not null)
        {
            Console.WriteLine(json);
        }
        else
        {
            Terminal.Output.Write(new RingsView(Terminal.Output.Profile.Width).Draw(snapshot));
        }
    }

    private static void Watch(RegionProbe probe, TimeSpan interval, bool isJson, CancellationToken end)
    {
        _ = probe.Take();
        if (isJson || !Terminal.IsLive)
        {
            while (!end.WaitHandle.WaitOne(interval))
            {
                RingsSnapshot snapshot = probe.Take();
                Write(isJson ? JsonText.LineOf(snapshot) : null, snapshot);
            }

            return;
        }

        Terminal.Screen.Live(Draw(probe.Take())).AutoClear(false).Overflow(VerticalOverflow.Ellipsis).Start(display =>
        {
            for (DateTime next = DateTime.UtcNow + interval; !end.WaitHandle.WaitOne(s_keyPause) && Terminal.ReadKey() != 'q';)
            {
                if (DateTime.UtcNow >= next)
                {
                    display.UpdateTarget(Draw(probe.Take()));
                    next = DateTime.UtcNow + interval;
                }
            }
        });

        static IRenderable Draw(RingsSnapshot snapshot) => new Rows(
            new RingsView(Terminal.Screen.Profile.Width).Draw(snapshot), Text.Empty, new Markup("[dim]q[/] quit"));
    }
}
