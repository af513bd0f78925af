namespace Tarn.Traces;

/// <summary>Builds a <see cref="StackTable"/>, in which each frame and each node is once.</summary>
/// <remarks>Beyond <see cref="StackTable.Most"/> nodes, a stack ends with its outer frames.</remarks>
internal sealed class StackTableBuilder
{
    private readonly Dictionary<StackFrame, int> _numberOfFrame = [];
    private readonly Dictionary<StackNode, int> _numberOfNode = [];
    private readonly List<StackFrame> _frames = [];
    private readonly List<StackNode> _nodes = [default];

    /// <summary>Whether no node can be added.</summary>
    internal bool IsFull => _nodes.Count == StackTable.Most;

    internal StackNode this[int node] => _nodes[node];

    internal StackTable ToTable() => new(_frames, _nodes.Skip(1));

    internal StackFrame FrameOf(int node) => _frames[_nodes[node].Frame];

    /// <summary>Returns the number of a frame.</summary>
    internal int Add(StackFrame frame)
    {
        if (!_numberOfFrame.TryGetValue(frame, out int number))
        {
            _numberOfFrame.Add(frame, number = _frames.Count);
            _frames.Add(frame);
        }

        return number;
    }

    /// <summary>Returns the node of a frame that a stack called; that stack's own if there are too many.</summary>
    internal int Add(int caller, int frame)
    {
        var one = new StackNode(caller, frame);
        if (_numberOfNode.TryGetValue(one, out int node))
        {
            return node;
        }

        if (IsFull)
        {
            return caller;
        }

        _numberOfNode.Add(one, node = _nodes.Count);
        _nodes.Add(one);
        return node;
    }
}
