using System.CommandLine;
using System.Diagnostics;
using Spectre.Console;
using Tarn.Tool.Processes;
using Tarn.Tool.Watching;
using Tarn.Traces;

namespace Tarn.Tool.Commands;

/// <summary><c>watch</c>: what a process's pools do, live.</summary>
internal static class WatchCommand
{
    private static readonly TimeSpan s_rentsFor = TimeSpan.FromSeconds(5);

    /// <summary>A process that is silent for longer has nothing to say.</summary>
    private static readonly TimeSpan s_longestSilence = TimeSpan.FromSeconds(5);

    private static readonly TimeSpan s_keyPause = TimeSpan.FromMilliseconds(50);

    private static readonly Argument<string> s_target = ToolCommand.RunningProcess();

    private static readonly Option<TimeSpan> s_interval = DurationOption.Create(
        "--interval", "How often to report.", TimeSpan.FromSeconds(1));

    private static readonly Option<TimeSpan> s_time = DurationOption.Create("--for", "When to end.", TimeSpan.FromHours(24));

    private static readonly Option<bool> s_json = new("--json") { Description = "Write a JSON object for each interval." };

    private static readonly Option<bool> s_rents = new("--rents")
    {
        Description = "Count every rent and return, which slows a process that rents much; otherwise only allocations, drops and trims.",
    };

    public static Command Create()
    {
        var command = new Command(
            "watch", "Shows live what a process's pools do: allocations, drops, trims, and if asked rents and returns.");
        command.Arguments.Add(s_target);
        command.Options.Add(s_interval);
        command.Options.Add(s_time);
        command.Options.Add(s_json);
        command.Options.Add(s_rents);
        command.SetAction(line => ToolCommand.Guarded(() => Run(line)));
        return command;
    }

    private static int Run(ParseResult line)
    {
        DotnetProcess process = ProcessFinder.Find(line.GetValue(s_target)!);
        using var interruption = new Interruption();
        using var end = CancellationTokenSource.CreateLinkedTokenSource(interruption.Token);
        TimeSpan time = line.GetValue(s_time);
        bool isJson = line.GetValue(s_json);
        bool isLive = !isJson && Terminal.IsLive;
        var activity = new PoolActivity();
        var watch = Stopwatch.StartNew();
        TimeSpan interval = line.GetValue(s_interval);
        bool withRents = line.GetValue(s_rents);
        bool hasEnded = isLive
            ? Show(process, activity, interval, withRents, time, end)
            : Print(process, activity, interval, withRents, isJson ? WatchText.Json : WatchText.Line, time, end);
        if (hasEnded)
        {
            Console.Error.WriteLine($"{process.Name}, process {process.Id}, has ended.");
        }

        if (activity.IsSilent && watch.Elapsed > s_longestSilence)
        {
            Console.Error.WriteLine(
                $"tarn: {process.Name}, process {process.Id}, sent no events: what its pools did is not known. Does it turn event sources "
                + "off (EventSourceSupport)?");
            return ToolCommand.Refused;
        }

        return 0;
    }

    /// <summary>Writes a line for each interval. Returns whether the process ended.</summary>
    private static bool Print(
        DotnetProcess process,
        PoolActivity activity,
        TimeSpan interval,
        bool withRents,
        Func<WatchSample, string> write,
        TimeSpan time,
        CancellationTokenSource end)
    {
        using LiveSession session = LiveSession.Start(process.Id, activity, withRents);

        // From the session's start, as in a recording: a busy process takes a while to answer.
        end.CancelAfter(time);
        var watch = Stopwatch.StartNew();
        while (!session.HasEnded && !end.Token.WaitHandle.WaitOne(interval))
        {
            Console.WriteLine(write(activity.Sample(DateTimeOffset.Now, watch.Elapsed.TotalSeconds)));
            watch.Restart();
        }

        return session.HasEnded;
    }

    /// <summary>Draws each interval in place, and listens to keys. Returns whether the process ended.</summary>
    private static bool Show(
        DotnetProcess process, PoolActivity activity, TimeSpan interval, bool withRents, TimeSpan time, CancellationTokenSource end)
    {
        var view = new WatchView(process);
        LiveSession session = LiveSession.Start(process.Id, activity, withRents);
        end.CancelAfter(time);
        try
        {
            bool hasEnded = false;
            Terminal.Screen.Live(view.Draw(null, withRents)).AutoClear(false).Start(display =>
            {
                var watch = Stopwatch.StartNew();
                var sinceSwitch = Stopwatch.StartNew();
                bool countsRents = withRents;
                while (!end.IsCancellationRequested && !(hasEnded = session.HasEnded))
                {
                    char key = Terminal.ReadKey();
                    if (key == 'q')
                    {
                        return;
                    }

                    // What a key turned on turns itself off again: a forgotten view should not slow a process down.
                    bool isOver = countsRents && !withRents && sinceSwitch.Elapsed > s_rentsFor;
                    if (key == 'r' || isOver)
                    {
                        countsRents = !countsRents;
                        withRents &= countsRents;
                        session.Dispose();
                        session = LiveSession.Start(process.Id, activity, countsRents);
                        sinceSwitch.Restart();
                    }

                    if (watch.Elapsed >= interval)
                    {
                        display.UpdateTarget(view.Draw(activity.Sample(DateTimeOffset.Now, watch.Elapsed.TotalSeconds), countsRents));
                        watch.Restart();
                    }

                    _ = end.Token.WaitHandle.WaitOne(s_keyPause);
                }
            });
            return hasEnded;
        }
        catch (RecordingException)
        {
            // It ended between two sessions.
            return true;
        }
        finally
        {
            session.Dispose();
        }
    }
}
