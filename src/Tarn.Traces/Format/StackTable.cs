namespace Tarn.Traces;

/// <summary>
/// The stacks of a trace as a tree: each is a node, which names its innermost frame and the node of the caller. Node 0 is the empty stack.
/// Immutable and safe to share.
/// </summary>
public sealed class StackTable
{
    /// <summary>The most frames, and the most nodes, of a table: 2^20.</summary>
    public const int Most = 1 << 20;

    private readonly StackFrame[] _frames;
    private readonly StackNode[] _nodes;

    /// <summary>Creates a table.</summary>
    /// <param name="frames">The frames, which are copied.</param>
    /// <param name="nodes">The nodes from node 1 on, which are copied.</param>
    /// <exception cref="InvalidDataException">A node names a later node or a missing frame; the message names it.</exception>
    public StackTable(IEnumerable<StackFrame> frames, IEnumerable<StackNode> nodes)
    {
        ArgumentNullException.ThrowIfNull(frames);
        ArgumentNullException.ThrowIfNull(nodes);
        _frames = [.. frames];
        _nodes = [default, .. nodes];
        Demand(_frames.Length <= Most && _nodes.Length <= Most, _nodes.Length, $"there are more than {Most}");
        for (int index = 1; index < _nodes.Length; index++)
        {
            Demand((uint)_nodes[index].Caller < (uint)index, index, $"its caller is node {_nodes[index].Caller}, which is no earlier one");
            Demand((uint)_nodes[index].Frame < (uint)_frames.Length, index, $"its frame is {_nodes[index].Frame} of {_frames.Length}");
        }
    }

    /// <summary>A table without stacks.</summary>
    public static StackTable Empty { get; } = new([], []);

    /// <summary>All frames.</summary>
    public IReadOnlyList<StackFrame> Frames => _frames;

    /// <summary>All nodes; the first is the empty stack.</summary>
    public ReadOnlySpan<StackNode> Nodes => _nodes;

    /// <summary>Returns the frames of a stack, the innermost first.</summary>
    /// <param name="node">The stack.</param>
    /// <exception cref="ArgumentOutOfRangeException">There is no such node.</exception>
    public IEnumerable<StackFrame> Walk(int node)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(node);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(node, _nodes.Length);
        for (; node != 0; node = _nodes[node].Caller)
        {
            yield return _frames[_nodes[node].Frame];
        }
    }

    private static void Demand(bool holds, int index, string rule)
    {
        if (!holds)
        {
            throw new InvalidDataException($"Stack {index} of the trace is invalid: {rule}.");
        }
    }
}
