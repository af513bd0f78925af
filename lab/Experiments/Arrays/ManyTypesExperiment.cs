using Tarn.Lab.Contenders;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Workloads.Arrays;

namespace Tarn.Lab.Experiments.Arrays;

/// <summary>Pools of sixteen element types used in turn.</summary>
internal sealed class ManyTypesExperiment : IExperiment
{
    private static readonly int[] s_lengths = [16, 1_000];

    public string Id => "many-types";

    public string Title => "Many element types";

    public double QuickSeconds => 2;

    public double FullSeconds => 6;

    public ExperimentResult Run(ExperimentContext context)
    {
        Sweep sweep = Sweep.Run(context, s_lengths, length =>
        [
            new LoopTrial<ManyTypes<TarnTypedPools>>(PoolNames.TarnShared, new(default, length), ManyTypes<TarnTypedPools>.Types),
            new LoopTrial<ManyTypes<BclTypedPools>>(PoolNames.BclShared, new(default, length), ManyTypes<BclTypedPools>.Types),
        ]);

        return new ExperimentResult(new Section
        {
            Id = Id,
            Title = Title,
            Text = "Programs pool more than bytes. Each operation rents and returns one array of each of sixteen element types: small and "
                + "large values, structs that hold references, strings and objects. Times are for one of the sixteen pairs.",
            Tables = [sweep.Times("many-types-times", "Medians", "Lengths count elements.", new Column("Length", ColumnKind.Number))],
        })
        {
            Comparisons =
            [
                .. sweep.Compare(
                    0, 1, length => $"many-types-{length}", "Other work", length => $"Sixteen element types, length {length:N0}"),
            ],
        };
    }
}
