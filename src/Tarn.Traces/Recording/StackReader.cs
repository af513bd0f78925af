using Microsoft.Diagnostics.Tracing.Etlx;

namespace Tarn.Traces;

/// <summary>
/// Turns the call stacks of a log into a <see cref="StackTable"/>, without the innermost frames that belong to the pool itself. A call that
/// the compiler inlined has a frame of its own where that is known.
/// </summary>
internal sealed class StackReader(TraceLog log, CodeMaps maps, ModuleFiles modules) : IDisposable
{
    private readonly SourceLines _lines = new();
    private readonly CalledMethods _calls = new(modules);
    private readonly TestMethods _tests = new(modules);
    private readonly Dictionary<CallStackIndex, int> _known = [];
    private readonly Dictionary<CodeAddressIndex, int[]> _framesOfCode = [];
    private readonly StackTableBuilder _table = new();

    internal StackTable ToTable() => _table.ToTable();

    /// <summary>Returns the node of a stack; 0 where there is none.</summary>
    internal int Of(CallStackIndex stack)
    {
        string called = "";
        while (stack != CallStackIndex.Invalid && IsOfPool(stack))
        {
            called = MethodNames.Short(NameOf(log.CallStacks.CodeAddressIndex(stack)));
            stack = log.CallStacks.Caller(stack);
        }

        return stack == CallStackIndex.Invalid
            ? 0
            : WithoutInlinedPool(Node(stack, called), Frames(log.CallStacks.CodeAddressIndex(stack)).Length);
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

    public void Dispose() => _lines.Dispose();

    /// <summary>Interns a stack, from its outermost frame that is not known yet.</summary>
    /// <param name="stack">The stack.</param>
    /// <param name="called">The method that its innermost frame calls; empty if that is unknown.</param>
    private int Node(CallStackIndex stack, string called = "")
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
            foreach (int frame in Frames(log.CallStacks.CodeAddressIndex(next), unknown.Count == 0 ? called : ""))
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
    private int[] Frames(CodeAddressIndex code, string called = "")
    {
        if (!_framesOfCode.TryGetValue(code, out int[]? frames))
        {
            _framesOfCode.Add(code, frames = [.. Describe(code, called).Select(_table.Add)]);
        }

        return frames;
    }

    private IEnumerable<StackFrame> Describe(CodeAddressIndex code, string called)
    {
        TraceCodeAddress address = log.CodeAddresses[code];
        if (address.Method is not { } method)
        {
            yield return new StackFrame("", address.ModuleName ?? "");
            yield break;
        }

        string path = method.MethodModuleFile?.FilePath ?? "";
        IReadOnlyList<CodePlace> places = called.Length == 0
            ? maps.Find(address.Address)
            : WithoutNeighbours(maps.Find(address.Address), path, method.MethodToken, called);
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

    /// <summary>
    /// Leaves out inlined methods that do not call what was called. Where nothing but the call is left of a statement, the runtime may have
    /// no place for it, and its machine code then seems to be of an inlined method before it. From .NET 11 on, that is so where a pool is
    /// constant. The place in the caller is that of its first such call then.
    /// </summary>
    private IReadOnlyList<CodePlace> WithoutNeighbours(IReadOnlyList<CodePlace> places, string path, int token, string called)
    {
        bool mayCall = false;
        for (int at = 0; at < places.Count; at++)
        {
            CompiledMethod? inlined = maps.MethodOf(places[at].Method);
            bool isInlined = at < places.Count - 1;
            if (isInlined && inlined is null)
            {
                // One that is not listed has no instructions to look at.
                mayCall = true;
                continue;
            }

            IReadOnlyList<int>? calls = _calls.Find(isInlined ? inlined!.Module : path, isInlined ? inlined!.Token : token, called);
            if (calls is not [])
            {
                return mayCall || at == 0 || calls is null ? places : [places[at] with { Place = calls[0] }, .. places.Skip(at + 1)];
            }

            mayCall = false;
        }

        return places;
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
