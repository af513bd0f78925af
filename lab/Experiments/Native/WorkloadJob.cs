using System.Globalization;
using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Native;
using Tarn.Lab.Measurement;
using Tarn.Lab.Workloads.Native;

namespace Tarn.Lab.Experiments.Native;

/// <summary>
/// One allocator workload with one allocator, in a process of its own: remains of earlier runs in an allocator and in the runtime would
/// affect the memory readings, and the time too.
/// </summary>
internal sealed class WorkloadJob : IChildJob
{
    private const string JobName = "workload";

    /// <summary>The idle timeout of our heap whose memory is read after idling.</summary>
    public static readonly TimeSpan IdleTimeout = TimeSpan.FromSeconds(1);

    public string Name => JobName;

    /// <param name="contender">
    /// One of <see cref="NativeContenders"/>, or a heap instance of ours, which gives up memory after <see cref="IdleTimeout"/>.
    /// </param>
    /// <param name="idle">How long to wait after everything was freed before memory is read again; zero skips this.</param>
    /// <exception cref="InvalidOperationException">The child failed; the message contains its output.</exception>
    public static WorkloadMeasurement Start(string workload, string contender, WorkloadSettings settings, TimeSpan idle) =>
        WorkloadMeasurement.FromValues(
            ChildProcess.Run(JobName, WorkloadRun.Environment, ToArguments(workload, contender, settings, idle)));

    public IReadOnlyDictionary<string, double> Run(IReadOnlyList<string> arguments)
    {
        if (arguments.Count != 7)
        {
            throw new InvalidDataException("The job requires the arguments: workload, allocator, length, footprint, threads, seed, seconds "
                + "to idle.");
        }

        var settings = new WorkloadSettings
        {
            Length = double.Parse(arguments[2], CultureInfo.InvariantCulture),
            Footprint = double.Parse(arguments[3], CultureInfo.InvariantCulture),
            Threads = int.Parse(arguments[4], CultureInfo.InvariantCulture),
            Seed = int.Parse(arguments[5], CultureInfo.InvariantCulture),
        };
        var run = new WorkloadRun(arguments[0], settings, TimeSpan.FromSeconds(double.Parse(arguments[6], CultureInfo.InvariantCulture)));
        return Find(arguments[1]).Accept(run).ToValues();
    }

    internal static string[] ToArguments(string workload, string contender, WorkloadSettings settings, TimeSpan idle) =>
    [
        workload,
        contender,
        settings.Length.ToString("R", CultureInfo.InvariantCulture),
        settings.Footprint.ToString("R", CultureInfo.InvariantCulture),
        settings.Threads.ToString(CultureInfo.InvariantCulture),
        settings.Seed.ToString(CultureInfo.InvariantCulture),
        idle.TotalSeconds.ToString("R", CultureInfo.InvariantCulture),
    ];

    private static NativeContender Find(string name) => name == NativeNames.TarnHeapInstance
        ? NativeContender.Of(
            name, new TarnHeapInstance(new NativeHeap(new NativeHeapOptions { Name = "lab workload", IdleTimeout = IdleTimeout })))
        : NativeContenders.Find(name);
}
