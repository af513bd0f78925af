using System.Buffers;
using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Workloads.Arrays;

namespace Tarn.Lab.Experiments.Arrays;

/// <summary>Rent and Return on one thread, with nothing else in flight, and beside buffers of the length that stay out.</summary>
internal sealed class SinglePairExperiment : IExperiment
{
    private const string Group = "One thread, one buffer";
    private const double Target = 0.60;
    private static readonly int[] s_sizes = [100, 1 << 10, 16 << 10, 128 << 10, 1 << 20];

    public string Id => "single";

    public string Title => "Rent and return one buffer";

    public double QuickSeconds => 8;

    public double FullSeconds => 48;

    public ExperimentResult Run(ExperimentContext context)
    {
        var instance = BufferPool<byte>.Create();
        var beside = BufferPool<byte>.Create();
        ArrayPool<byte> created = ArrayPool<byte>.Create();
        Sweep sweep = Sweep.Run(context, s_sizes, size =>
        [
            new LoopTrial<SinglePair<TarnShared>>(PoolNames.TarnShared, new(default, size)),
            new LoopTrial<SinglePair<TarnInstance>>(PoolNames.TarnInstance, new(new(instance), size)),
            new LoopTrial<SinglePair<TarnVariable>>(PoolNames.TarnVariable, new(new(BufferPool<byte>.Shared), size)),
            new LoopTrial<SinglePair<BclShared>>(PoolNames.BclShared, new(default, size)),
            new LoopTrial<SinglePair<BclVariable>>(PoolNames.BclVariable, new(new(ArrayPool<byte>.Shared), size)),
            new LoopTrial<SinglePair<BclCreated>>(PoolNames.BclCreated, new(new(created), size)),
            new LoopTrial<PairBesideOthers<TarnInstance>>(PoolNames.TarnBesideOthers, new(new(beside), size)),
            new LoopTrial<PairBesideOthers<BclShared>>(PoolNames.BclBesideOthers, new(default, size)),
        ]);

        return new ExperimentResult(Describe(context, sweep))
        {
            Comparisons =
            [
                .. sweep.Compare(
                    0, 3, size => $"single-{ByteSize.Id(size)}", Group, size => $"Rent and return {ByteSize.Text(size)}", Target),
                .. sweep.Compare(
                    1,
                    3,
                    size => $"single-instance-{ByteSize.Id(size)}",
                    Group,
                    size => $"Rent and return {ByteSize.Text(size)}, own instance"),
                .. sweep.Compare(
                    2,
                    4,
                    size => $"single-variable-{ByteSize.Id(size)}",
                    Group,
                    size => $"Rent and return {ByteSize.Text(size)}, as ArrayPool<byte>"),
                .. sweep.Compare(
                    6,
                    7,
                    size => $"single-beside-{ByteSize.Id(size)}",
                    Group,
                    size => $"Rent and return {ByteSize.Text(size)} beside two that stay out"),
            ],
        };
    }

    private Section Describe(ExperimentContext context, Sweep sweep)
    {
        var empty = new LoopTrial<EmptyWork>("empty loop", default);
        WarmUp.Run([empty]);
        double loop = empty.NanosecondsPerOperation(PairedRounds.Calibrate(empty, context.Rounds.SampleTime));

        return new Section
        {
            Id = Id,
            Title = Title,
            Text = "One thread rents a buffer and returns it at once. Every pool is measured in each round, in random order, each in a "
                + $"loop compiled for it alone. The loop itself takes {loop:0.0} ns here; nothing is subtracted. The cost of a pool should "
                + "not depend on the size: a rising line shows a pool that touches the memory, or no longer keeps it. Beside others: the "
                + "thread keeps two buffers of the length rented, as for its open connections.",
            Charts =
            [
                sweep.TimeAgainstSize(context, "single-time", "Rent and return", "Nanoseconds for one rent and return against the size."),
            ],
            Tables = [sweep.Times("single-times", "Medians", "One rent and return.", new Column("Size", ColumnKind.Bytes))],
        };
    }
}
