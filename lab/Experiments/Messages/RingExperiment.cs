using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Messages;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;

namespace Tarn.Lab.Experiments.Messages;

/// <summary>Messages from one process to another: through a ring in shared memory, and through the system's own means.</summary>
internal sealed class RingExperiment : IExperiment
{
    private const string Group = "Messages between two processes";

    /// <summary>The project's target for messages of this size.</summary>
    private const int TargetSize = 64;
    private const double TargetNanoseconds = 40;

    /// <summary>ipc-bench measured 100 B.</summary>
    public static readonly IReadOnlyList<int> Sizes = [16, 64, 100, 256, 1 << 10, 4 << 10, 64 << 10, MessageContents.LongestMessage];

    public string Id => "ring";

    public string Title => "Messages between two processes";

    public double QuickSeconds => 21;

    public double FullSeconds => 160;

    public ExperimentResult Run(ExperimentContext context) => ToResult(RingMeasurements.Take(context, Sizes));

    internal ExperimentResult ToResult(RingMeasurements measured) => new(new RingSection(measured).Create(Id, Title))
    {
        Comparisons =
        [
            .. measured.Sizes.Zip(measured.Sent).SelectMany(at => at.Second.CompareWith(
                MessageNames.Ring,
                MessageNames.Peers,
                $"{Id}-{ByteSize.Id(at.First)}",
                Group,
                $"{ByteSize.Text(at.First)}, time for a message",
                _ => null)),
            .. measured.Sizes.Zip(measured.Answered).SelectMany(at => at.Second.Medians.CompareWith(
                MessageNames.Ring,
                MessageNames.Peers,
                $"{Id}-latency-{ByteSize.Id(at.First)}",
                Group,
                $"{ByteSize.Text(at.First)}, there and back",
                _ => null)),
            .. measured.OneProcessor.Medians.CompareWith(
                MessageNames.Ring,
                MessageNames.Peers,
                $"{Id}-one-processor",
                Group,
                $"{ByteSize.Text(RingMeasurements.FewSize)}, there and back on one processor",
                _ => null),
        ],
        Figures =
        [
            .. measured.Sizes.Zip(measured.Sent).Where(at => at.First == TargetSize).SelectMany(at => (Figure[])
            [
                Time($"{Id}-time", $"Time for a message of {ByteSize.Text(TargetSize)}", at.Second, MessageNames.Ring),
                Time(
                    $"{Id}-time-in-place",
                    $"Time for a message of {ByteSize.Text(TargetSize)}, in place",
                    at.Second,
                    MessageNames.RingInPlace),
            ]),
        ],
    };

    private static Figure Time(string id, string title, RoundSamples samples, string contender) => new()
    {
        Id = id,
        Title = title,
        Value = samples.Median(samples.IndexOf(contender)),
        Unit = "ns",
        Bound = TargetNanoseconds,
    };
}
