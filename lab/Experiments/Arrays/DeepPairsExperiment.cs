using System.Buffers;
using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Workloads.Arrays;

namespace Tarn.Lab.Experiments.Arrays;

/// <summary>Eight rents, then eight returns, on one thread.</summary>
internal sealed class DeepPairsExperiment : IExperiment
{
    private const string Group = "One thread, eight buffers";
    private const double DirectTarget = 0.20;
    private const double VariableTarget = 0.25;
    private static readonly int[] s_sizes = [256, 1 << 10, 4 << 10, 64 << 10, 1 << 20];

    public string Id => "deep";

    public string Title => "Eight rented, then eight returned";

    public double QuickSeconds => 5;

    public double FullSeconds => 28;

    public ExperimentResult Run(ExperimentContext context)
    {
        ArrayPool<byte> created = ArrayPool<byte>.Create();
        const int Depth = DeepPairs<BclShared>.Depth;
        Sweep sweep = Sweep.Run(context, s_sizes, size =>
        [
            new LoopTrial<DeepPairs<TarnShared>>(PoolNames.TarnShared, new(default, size), Depth),
            new LoopTrial<DeepPairs<TarnVariable>>(PoolNames.TarnVariable, new(new(BufferPool<byte>.Shared), size), Depth),
            new LoopTrial<DeepPairs<BclShared>>(PoolNames.BclShared, new(default, size), Depth),
            new LoopTrial<DeepPairs<BclVariable>>(PoolNames.BclVariable, new(new(ArrayPool<byte>.Shared), size), Depth),
            new LoopTrial<DeepPairs<BclCreated>>(PoolNames.BclCreated, new(new(created), size), Depth),
        ]);

        return new ExperimentResult(new Section
        {
            Id = Id,
            Title = Title,
            Text = "A thread that holds more than one buffer of a size at once: nested calls, messages in parts, batches. ArrayPool.Shared "
                + "keeps one buffer of a size for the thread; the others go through its locked stacks. Nanoseconds are for one rent and "
                + "its return.",
            Charts = [sweep.TimeAgainstSize(context, "deep-time", "Eight deep", "Nanoseconds for each of eight pairs against the size.")],
            Tables = [sweep.Times("deep-times", "Medians", "One rent and return out of eight.", new Column("Size", ColumnKind.Bytes))],
        })
        {
            Comparisons =
            [
                .. sweep.Compare(
                    0, 2, size => $"deep-{ByteSize.Id(size)}", Group, size => $"Eight deep, {ByteSize.Text(size)}", DirectTarget),
                .. sweep.Compare(
                    1,
                    3,
                    size => $"deep-variable-{ByteSize.Id(size)}",
                    Group,
                    size => $"Eight deep, {ByteSize.Text(size)}, as ArrayPool<byte>",
                    VariableTarget),
            ],
        };
    }
}
