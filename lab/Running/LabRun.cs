using System.Reflection;
using Tarn.Lab.Experiments;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;

namespace Tarn.Lab.Running;

/// <summary>Runs experiments one after the other and gathers their results.</summary>
internal static class LabRun
{
    /// <exception cref="UnknownExperimentException">An id is not in the catalogue.</exception>
    public static LabReport Execute(LabOptions options)
    {
        IReadOnlyList<IExperiment> experiments = Catalogue.Select(options.Only, options.Full);
        Machine machine = MachineReader.Read();
        Directory.CreateDirectory(options.OutputDirectory);
        DateTimeOffset startedAt = DateTimeOffset.Now;
        var results = new List<ExperimentResult>();

        ProgressDisplay.Run(experiments, options.Full, (experiment, report) =>
        {
            results.Add(experiment.Run(new ExperimentContext(options.Full, options.Seed, options.OutputDirectory, machine, report)));
            // Memory left by one experiment must not burden the next.
            BufferPool<byte>.Shared.Trim();
            NativeHeap.Shared.Trim();
            GC.Collect();
            GC.WaitForPendingFinalizers();
        });

        return new LabReport
        {
            Run = new RunInfo
            {
                Command = options.ToCommand(),
                Mode = options.Full ? "full" : "quick",
                StartedAt = startedAt,
                DurationSeconds = (DateTimeOffset.Now - startedAt).TotalSeconds,
                TarnVersion = typeof(BufferPool<byte>).Assembly
                    .GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? "unknown",
                Machine = machine,
                Settings = SettingsReader.Read(options.Seed, options.Only.Count == 0 && !options.Full ? Catalogue.OnRequest : []),
            },
            Comparisons = [.. results.SelectMany(result => result.Comparisons)],
            Figures = [.. results.SelectMany(result => result.Figures)],
            Sections = [.. results.Select(result => result.Section)],
        };
    }
}
