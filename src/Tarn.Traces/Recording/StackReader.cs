using Microsoft.Diagnostics.Tracing.Etlx;

namespace Tarn.Traces;

/// <summary>
/// Turns the call stacks of a log into a <see cref="StackTable"/>, without the innermost frames that belong to the pool itself. A call that
/// the compiler inlined has a frame of its own where that is known.
/// </summary>
internal sealed class StackReader(TraceLog log, CodeMaps maps) : IDisposable
{
    private readonly SourceLines _lines = new();
    private readonly TestMethods _tests = new();
    private readonly Dictionary<CallStackIndex, int> _known = [];
    private readonly Dictionary<CodeAddressIndex, int[]> _framesOfCode = [];
    private readonly StackTableBuilder _table = new();

    internal StackTable ToTable() => _table.ToTable();

    /// <summary>Returns the node of a stack; 0 where there is none.</summary>
    internal int Of(CallStackIndex stack)
    {
        while (stack != CallStackIndex.Invalid && IsOfPool(stack))
        {
            stack = log.CallStacks.Caller(stack);
        }

        return stack == CallStackIndex.Invalid ? 0 : WithoutInlinedPool(Node(stack), Frames(log.CallStacks.CodeAddressIndex(stack)).Length);
    }

    /// <summary>Returns the node of a whole stack, with the methods of pools on it; 0 where there is none.</summary>
    internal int Whole(CallStackIndex stack) => stack == CallStackIndex.Invalid ? 0 : Node(stack);

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

    public void Dispose()
    {
        _lines.Dispose();
        _tests.Dispose();
    }

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

        while (unknown.TryPop(out CallStackIndex next) && !_table.IsFull)
        {
            foreach (int frame in Frames(log.CallStacks.CodeAddressIndex(next)))
            {
                node = _table.Add(node, frame);
            }

            _known.Add(next, node);
        }

        return node;
    }

    /// <summary>A pool's method may be inlined in its caller, and others, such as that of a hash code, in the pool's.</summary>
    private int WithoutInlinedPool(int stack, int framesOfCaller)
    {
        int outside = stack;
        for (int node = stack; framesOfCaller > 0 && node != 0; framesOfCaller--, node = _table[node].Caller)
        {
            StackFrame frame = _table.FrameOf(node);
            if (MethodNames.IsOfPool(frame.Method, frame.Module))
            {
                outside = _table[node].Caller;
            }
        }

        return outside;
    }

    /// <summary>The frames of an address, the outermost first.</summary>
    private int[] Frames(CodeAddressIndex code)
    {
        if (!_framesOfCode.TryGetValue(code, out int[]? frames))
        {
            _framesOfCode.Add(code, frames = [.. Describe(code).Select(_table.Add)]);
        }

        return frames;
    }

    private IEnumerable<StackFrame> Describe(CodeAddressIndex code)
    {
        TraceCodeAddress address = log.CodeAddresses[code];
        if (address.Method is not { } method)
        {
            yield return new StackFrame("", address.ModuleName ?? "");
            yield break;
        }

        IReadOnlyList<CodePlace> places = maps.Find(address.Address);
        string path = method.MethodModuleFile?.FilePath ?? "";
        yield return Describe(method.FullMethodName, method.MethodModuleFile?.Name ?? "", path, method.MethodToken, places[^1].Place);
        foreach (CodePlace place in places.SkipLast(1).Reverse())
        {
            // A method that was inlined wherever it was called is not listed: its caller has the line of the call.
            if (maps.MethodOf(place.Method) is { } inlined)
            {
                yield return Describe(
                    inlined.Name, Path.GetFileNameWithoutExtension(inlined.Module), inlined.Module, inlined.Token, place.Place);
            }
        }
    }

    private StackFrame Describe(string fullName, string module, string path, int token, int place)
    {
        (string file, int line) = _lines.Find(path, token, place);
        return new StackFrame(MethodNames.Readable(fullName), module, file, line) { Test = _tests.Find(path, token) };
    }

    private bool IsOfPool(CallStackIndex stack)
    {
        TraceCodeAddress address = log.CodeAddresses[log.CallStacks.CodeAddressIndex(stack)];
        return MethodNames.IsOfPool(address.FullMethodName, address.ModuleName);
    }

    private string NameOf(CodeAddressIndex code) => log.CodeAddresses[code].FullMethodName;
}
