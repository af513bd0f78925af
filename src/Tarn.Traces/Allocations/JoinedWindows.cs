namespace Tarn.Traces;

/// <summary>
/// Joins the windows of a recording. Each stands for the time up to the next one, so its samples count for more.
/// </summary>
internal sealed class JoinedWindows
{
    private readonly List<AllocationSample> _samples = [];
    private readonly List<RecordedCollection> _collections = [];
    private readonly List<ObjectFate> _fates = [];
    private readonly TypeNumbers _types = new();
    private readonly StackTableBuilder _stacks = new();
    private bool _hasFates = true;

    internal IReadOnlyList<AllocationSample> Samples => _samples;

    internal IReadOnlyList<RecordedCollection> Collections => _collections;

    /// <summary>What became of each sample's object; null if one window does not know it.</summary>
    internal IReadOnlyList<ObjectFate>? Fates => _hasFates ? _fates : null;

    internal IReadOnlyList<string> Types => _types.Types;

    internal StackTable Stacks => _stacks.ToTable();

    internal long LostEvents { get; private set; }

    /// <summary>How long all windows together sampled.</summary>
    internal TimeSpan Length { get; private set; }

    /// <summary>The time that they stand for.</summary>
    internal TimeSpan Period { get; private set; }

    /// <summary>Adds a window that was read.</summary>
    internal void Add(SampledWindow window)
    {
        double weight = window.Weight;
        int[] types = [.. window.Types.Select(_types.Of)];
        int[] stacks = Number(window.Stacks);
        foreach (AllocationSample one in window.Samples)
        {
            _samples.Add(one with
            {
                Type = types[one.Type],
                Stack = stacks[one.Stack],
                Objects = one.Objects * weight,
                Variance = one.Variance * weight * weight,
            });
        }

        _collections.AddRange(window.Collections.Select(one => one with { Weight = one.Weight * weight }));
        _hasFates &= window.Fates is not null;
        _fates.AddRange(window.Fates ?? []);
        LostEvents += window.LostEvents;
        Length += window.Length;
        Period += window.Period;
    }

    /// <summary>The node of each stack of a window.</summary>
    private int[] Number(StackTable table)
    {
        int[] nodes = new int[table.Nodes.Length];
        for (int index = 1; index < nodes.Length; index++)
        {
            StackNode node = table.Nodes[index];
            nodes[index] = _stacks.Add(nodes[node.Caller], _stacks.Add(table.Frames[node.Frame]));
        }

        return nodes;
    }
}
