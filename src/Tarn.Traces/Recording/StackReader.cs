using Microsoft.Diagnostics.Tracing.Etlx;

namespace Tarn.Traces;

/// <summary>
/// Turns the call stacks of a log into a <see cref="StackTable"/>, without the innermost frames that belong to the pool itself.
/// </summary>
internal sealed class StackReader(TraceLog log, CodeMaps maps) : IDisposable
{
    private readonly SourceLines _lines = new();
    private readonly Dictionary<CallStackIndex, int> _known = [];
    private readonly Dictionary<CodeAddressIndex, int> _framesOfCode = [];
    private readonly Dictionary<StackFrame, int> _frames = [];
    private readonly Dictionary<StackNode, int> _nodes = [];

    internal StackTable ToTable() =>
        new(_frames.OrderBy(one => one.Value).Select(one => one.Key), _nodes.OrderBy(one => one.Value).Select(one => one.Key));

    /// <summary>Returns the node of a stack; 0 where there is none.</summary>
    internal int Of(CallStackIndex stack)
    {
        while (stack != CallStackIndex.Invalid && IsOfPool(stack))
        {
            stack = log.CallStacks.Caller(stack);
        }

        return Node(stack);
    }

    /// <summary>The element type of the pool whose methods are innermost on a stack; null if it is unknown.</summary>
    internal string? ElementOf(CallStackIndex stack)
    {
        for (; stack != CallStackIndex.Invalid && IsOfPool(stack); stack = log.CallStacks.Caller(stack))
        {
            if (MethodNames.ElementOf(NameOf(log.CallStacks.CodeAddressIndex(stack))) is { } element)
            {
                return element;
            }
        }

        return null;
    }

    public void Dispose() => _lines.Dispose();

    /// <summary>Interns a stack, from its outermost frame that is not known yet.</summary>
    private int Node(CallStackIndex stack)
    {
        var unknown = new Stack<CallStackIndex>();
        int node = 0;
        for (; stack != CallStackIndex.Invalid && !_known.TryGetValue(stack, out node); stack = log.CallStacks.Caller(stack))
        {
            unknown.Push(stack);
            node = 0;
        }

        while (unknown.TryPop(out CallStackIndex next) && _nodes.Count < StackTable.Most - 1)
        {
            var one = new StackNode(node, Frame(log.CallStacks.CodeAddressIndex(next)));
            if (!_nodes.TryGetValue(one, out node))
            {
                _nodes.Add(one, node = _nodes.Count + 1);
            }

            _known.Add(next, node);
        }

        return node;
    }

    private int Frame(CodeAddressIndex code)
    {
        if (_framesOfCode.TryGetValue(code, out int index))
        {
            return index;
        }

        StackFrame frame = Describe(code);
        if (!_frames.TryGetValue(frame, out index))
        {
            _frames.Add(frame, index = _frames.Count);
        }

        _framesOfCode.Add(code, index);
        return index;
    }

    private StackFrame Describe(CodeAddressIndex code)
    {
        TraceCodeAddress address = log.CodeAddresses[code];
        if (address.Method is not { } method)
        {
            return new StackFrame("", address.ModuleName ?? "");
        }

        string path = method.MethodModuleFile?.FilePath ?? "";
        (string file, int line) = _lines.Find(path, method.MethodToken, maps.Find(address.Address));
        return new StackFrame(MethodNames.Readable(method.FullMethodName), method.MethodModuleFile?.Name ?? "", file, line);
    }

    private bool IsOfPool(CallStackIndex stack)
    {
        TraceCodeAddress address = log.CodeAddresses[log.CallStacks.CodeAddressIndex(stack)];
        return MethodNames.IsOfPool(address.FullMethodName, address.ModuleName);
    }

    private string NameOf(CodeAddressIndex code) => log.CodeAddresses[code].FullMethodName;
}
