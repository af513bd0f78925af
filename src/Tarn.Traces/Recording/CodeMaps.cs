using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Parsers.Clr;

namespace Tarn.Traces;

/// <summary>
/// Finds the places in methods' code, as it was compiled from, of a return address in machine code. TraceEvent interpolates between the
/// places that the runtime lists, which suits samples of a profile; for a call it may give the line after it. It knows no inlined calls.
/// </summary>
internal sealed class CodeMaps
{
    private static readonly CodePlace[] s_unknown = [new(0, -1)];

    private readonly List<Compilation> _compilations = [];
    private readonly Dictionary<long, CompiledMethod> _methods = [];
    private readonly Dictionary<long, string> _modules = [];
    private readonly Dictionary<long, List<(int Native, int Place)[]>> _maps = [];
    private readonly Dictionary<ulong, (int Native, int Place)[]> _mapsOfCode = [];
    private readonly InlineMaps _inlined = new();

    private CodeMaps()
    {
    }

    /// <summary>Reads what a session told of the methods, most of it at its end.</summary>
    /// <param name="session">The file with the session's stream.</param>
    /// <param name="also">Receives the events of event sources.</param>
    internal static CodeMaps Read(string session, Action<TraceEvent> also)
    {
        var maps = new CodeMaps();
        using var source = new EventPipeEventSource(session);
        var rundown = new ClrRundownTraceEventParser(source);
        rundown.MethodDCStopVerbose += maps.Add;
        rundown.MethodILToNativeMapDCStop += maps.Add;
        rundown.LoaderModuleDCStop += one => maps._modules[one.ModuleID] = one.ModuleILPath;
        source.AllEvents += maps._inlined.Take;
        source.Dynamic.All += also;
        try
        {
            _ = source.Process();
        }
        catch (Exception exception) when (exception is FormatException or IOException)
        {
            // The session was cut off. Methods that it did not list have no lines.
        }

        maps.Join();
        return maps;
    }

    /// <summary>
    /// The places of the call that returns to an address, the innermost first. The last is in the method whose machine code it is; those
    /// before it are in methods that the compiler inlined.
    /// </summary>
    internal IReadOnlyList<CodePlace> Find(ulong returnAddress)
    {
        ulong call = returnAddress - 1;
        int at = _compilations.BinarySearch(new Compilation(call, ulong.MaxValue, 0, 0));
        at = at < 0 ? ~at - 1 : at;
        if (at < 0 || call >= _compilations[at].End)
        {
            return s_unknown;
        }

        Compilation code = _compilations[at];
        int offset = (int)(call - code.Start);
        return _inlined.Find(code.Method, code.Number)?.Find(offset) is { Count: > 0 } places
            ? places
            : [new CodePlace(0, Find(code.Start, offset))];
    }

    /// <summary>A method by its id; null if the session did not list it.</summary>
    internal CompiledMethod? MethodOf(long id) => _methods.GetValueOrDefault(id) is { } method
        ? method with { Module = _modules.GetValueOrDefault(method.ModuleId, "") }
        : null;

    private int Find(ulong start, int offset)
    {
        int place = -1;
        foreach ((int native, int of) in _mapsOfCode.GetValueOrDefault(start, []))
        {
            if (native > offset)
            {
                break;
            }

            place = of;
        }

        return place;
    }

    private void Add(MethodLoadUnloadVerboseTraceData one)
    {
        _compilations.Add(new Compilation(
            one.MethodStartAddress, one.MethodStartAddress + (uint)one.MethodSize, one.MethodID, one.ReJITID));
        _methods[one.MethodID] = new CompiledMethod($"{one.MethodNamespace}.{one.MethodName}", one.MethodToken, one.ModuleID);
    }

    private void Add(MethodILToNativeMapTraceData one)
    {
        var map = new List<(int Native, int Place)>(one.CountOfMapEntries);
        for (int index = 0; index < one.CountOfMapEntries; index++)
        {
            // Below 0: code that belongs to no place, such as the method's end.
            if (one.ILOffset(index) >= 0)
            {
                map.Add((one.NativeOffset(index), one.ILOffset(index)));
            }
        }

        if (!_maps.TryGetValue(one.MethodID, out List<(int Native, int Place)[]>? maps))
        {
            _maps.Add(one.MethodID, maps = []);
        }

        maps.Add([.. map.OrderBy(entry => entry.Native)]);
    }

    /// <summary>A method has several compilations. The session lists them, and their maps, in one order.</summary>
    private void Join()
    {
        var next = new Dictionary<long, int>();
        foreach (Compilation code in _compilations)
        {
            int number = next.GetValueOrDefault(code.Method);
            if (_maps.TryGetValue(code.Method, out List<(int Native, int Place)[]>? maps) && number < maps.Count)
            {
                _mapsOfCode[code.Start] = maps[number];
                next[code.Method] = number + 1;
            }
        }

        _compilations.Sort();
    }

    /// <summary>The machine code of one compilation of a method.</summary>
    private readonly record struct Compilation(ulong Start, ulong End, long Method, long Number) : IComparable<Compilation>
    {
        public int CompareTo(Compilation other) => (Start, End).CompareTo((other.Start, other.End));
    }
}
