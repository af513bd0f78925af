using System.Diagnostics;
using Spectre.Console;
using Tarn.Lab.Experiments;
using Markup = Spectre.Console.Markup;

namespace Tarn.Lab.Running;

/// <summary>
/// Shows what runs and how much time is left. On a terminal it is a live bar, redrawn only between measurements: a timer that draws
/// on its own would disturb the measurement. Where output goes to a file it is a line at each experiment's start.
/// </summary>
internal static class ProgressDisplay
{
    private static readonly TimeSpan s_shortestRedraw = TimeSpan.FromMilliseconds(100);

    public static void Run(IReadOnlyList<IExperiment> experiments, bool isFull, Action<IExperiment, Action<double>> runOne)
    {
        var time = new TimeLeft([.. experiments.Select(experiment => isFull ? experiment.FullSeconds : experiment.QuickSeconds)]);
        if (Console.IsOutputRedirected)
        {
            RunPlain(experiments, time, runOne);
        }
        else
        {
            RunLive(experiments, time, runOne);
        }
    }

    private static void RunPlain(IReadOnlyList<IExperiment> experiments, TimeLeft time, Action<IExperiment, Action<double>> runOne)
    {
        for (int index = 0; index < experiments.Count; index++)
        {
            Console.WriteLine($"{index + 1}/{experiments.Count} {experiments[index].Title} ({experiments[index].Id}), {time.Text} left");
            runOne(experiments[index], fraction => time.Report(fraction));
            time.Finish();
        }
    }

    private static void RunLive(IReadOnlyList<IExperiment> experiments, TimeLeft time, Action<IExperiment, Action<double>> runOne) =>
        AnsiConsole.Progress()
            .AutoRefresh(false)
            .AutoClear(true)
            .Columns(new TaskDescriptionColumn { Alignment = Justify.Left }, new ProgressBarColumn(), new PercentageColumn())
            .Start(display =>
            {
                ProgressTask task = display.AddTask("Starting", maxValue: 1);
                long lastDrawn = 0;
                foreach (IExperiment experiment in experiments)
                {
                    Draw(0);
                    runOne(experiment, fraction =>
                    {
                        time.Report(fraction);
                        if (Stopwatch.GetElapsedTime(lastDrawn) > s_shortestRedraw)
                        {
                            Draw(fraction);
                        }
                    });
                    time.Finish();

                    void Draw(double fraction)
                    {
                        task.Description = $"{Markup.Escape(experiment.Title)}, {time.Text} left";
                        task.Value = time.FractionDone;
                        display.Refresh();
                        lastDrawn = Stopwatch.GetTimestamp();
                    }
                }
            });
}
