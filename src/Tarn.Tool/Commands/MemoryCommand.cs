using System.CommandLine;
using System.Globalization;
using Spectre.Console;
using Tarn.Tool.Memory;
using Tarn.Tool.Processes;
using Tarn.Tool.Reports;

namespace Tarn.Tool.Commands;

/// <summary><c>memory</c>: which part of a process has its memory, and what to do about it.</summary>
internal static class MemoryCommand
{
    private const int History = 40;
    private static readonly TimeSpan s_keyPause = TimeSpan.FromMilliseconds(50);

    private static readonly Argument<string> s_target = ToolCommand.RunningProcess();
    private static readonly Option<bool> s_json = new("--json") { Description = "Write JSON; with --watch an object for each interval." };
    private static readonly Option<bool> s_watch = new("--watch") { Description = "Show it live, until q or Ctrl+C." };

    private static readonly Option<bool> s_collect = new("--collect")
    {
        Description = "Have the process collect all its garbage first, which may stop it for long.",
    };

    private static readonly Option<FileInfo?> s_compare = new("--compare")
    {
        Description = "Say what changed since a snapshot that --json wrote.",
        HelpName = "FILE",
    };

    private static readonly Option<TimeSpan> s_interval = DurationOption.Create(
        "--interval", "With --watch: how often to look.", TimeSpan.FromSeconds(2));

    public static Command Create()
    {
        var command = new Command(
            "memory", "Says which part of a process has its memory, in one screen that adds up to it, and what to do about it.");
        command.Arguments.Add(s_target);
        command.Options.Add(s_json);
        command.Options.Add(s_watch);
        command.Options.Add(s_compare);
        command.Options.Add(s_collect);
        command.Options.Add(s_interval);
        command.SetAction(line => ToolCommand.Guarded(() => Run(line)));
        return command;
    }

    private static int Run(ParseResult line)
    {
        string target = line.GetValue(s_target)!;
        int process = int.TryParse(target, NumberStyles.None, CultureInfo.InvariantCulture, out int id)
            ? id
            : ProcessFinder.Find(target).Id;
        MemorySnapshot? before = line.GetValue(s_compare) is { } file ? MemoryJson.Read(file.FullName) : null;
        using var interruption = new Interruption();
        using var probe = new MemoryProbe(process, line.GetValue(s_collect));
        if (line.GetValue(s_watch))
        {
            return Watch(probe, before, line, interruption.Token);
        }

        MemorySnapshot snapshot = Compare(probe.Take(interruption.Token), before);
        if (line.GetValue(s_json))
        {
            Console.WriteLine(MemoryJson.Write(snapshot));
        }
        else
        {
            Terminal.Output.Write(new MemoryView(Terminal.Output.Profile.Width, Terminal.HasStyles).Draw(snapshot, [], withAdvice: true));
        }

        return 0;
    }

    private static MemorySnapshot Compare(MemorySnapshot now, MemorySnapshot? before) =>
        before is null ? now : now with { Growth = MemoryGrowth.Between(before, now) };

    private static int Watch(MemoryProbe probe, MemorySnapshot? before, ParseResult line, CancellationToken end)
    {
        TimeSpan interval = line.GetValue(s_interval);
        bool isJson = line.GetValue(s_json);
        bool isLive = !isJson && Terminal.IsLive;
        MemorySnapshot first = probe.Take(end);
        before ??= first;
        if (isLive)
        {
            Show(probe, first, before, interval, end);
        }
        else
        {
            Print(probe, first, before, interval, isJson ? MemoryJson.WriteLine : Line, end);
        }

        if (probe.HasEnded)
        {
            Console.Error.WriteLine($"{first.Name}, process {first.Process}, has ended.");
        }

        return 0;
    }

    /// <summary>Writes a line for each interval.</summary>
    private static void Print(
        MemoryProbe probe,
        MemorySnapshot first,
        MemorySnapshot before,
        TimeSpan interval,
        Func<MemorySnapshot, string> write,
        CancellationToken end)
    {
        for (MemorySnapshot snapshot = first; !probe.HasEnded; snapshot = probe.Take(end))
        {
            Console.WriteLine(write(Compare(snapshot, before)));
            if (end.WaitHandle.WaitOne(interval) || probe.HasEnded)
            {
                return;
            }
        }
    }

    private static string Line(MemorySnapshot snapshot) =>
        $"{snapshot.At:HH:mm:ss}  resident {Words.Bytes(snapshot.ResidentBytes)} ({MemoryGrowth.Signed(snapshot.Growth!.ResidentBytes)})  "
        + string.Join("  ", snapshot.Groups.Select(group => $"{MemoryView.NameOf(group.Kind)} {Words.Bytes(group.ResidentBytes)}"));

    /// <summary>Draws each interval in place, and listens to keys.</summary>
    private static void Show(MemoryProbe probe, MemorySnapshot first, MemorySnapshot before, TimeSpan interval, CancellationToken end)
    {
        var view = new MemoryView(Terminal.Screen.Profile.Width, hasColors: true);
        Queue<long> history = new([first.ResidentBytes]);
        bool withAdvice = false;
        Terminal.Screen.Live(Draw(first)).AutoClear(false).Overflow(VerticalOverflow.Ellipsis).Start(display =>
        {
            MemorySnapshot last = first;
            DateTime next = DateTime.UtcNow + interval;
            while (!end.IsCancellationRequested && !probe.HasEnded)
            {
                switch (Terminal.ReadKey())
                {
                    case 'q':
                        return;
                    case 'a':
                        withAdvice = !withAdvice;
                        display.UpdateTarget(Draw(last));
                        break;
                    case 'c':
                        before = last;
                        display.UpdateTarget(Draw(last));
                        break;
                }

                if (DateTime.UtcNow >= next)
                {
                    last = probe.Take(end);
                    history.Enqueue(last.ResidentBytes);
                    while (history.Count > History)
                    {
                        _ = history.Dequeue();
                    }

                    display.UpdateTarget(Draw(last));
                    next = DateTime.UtcNow + interval;
                }

                _ = end.WaitHandle.WaitOne(s_keyPause);
            }
        });

        Rows Draw(MemorySnapshot snapshot) => new(
            view.Draw(Compare(snapshot, before), [.. history], withAdvice),
            Text.Empty,
            new Markup($"[dim]a[/] {(withAdvice ? "hide" : "show")} what to do   [dim]c[/] compare with now   [dim]q[/] quit"));
    }
}
