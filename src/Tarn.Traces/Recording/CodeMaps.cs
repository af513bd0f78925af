using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Parsers.Clr;

namespace Tarn.Traces;

/// <summary>
/// Finds the place in a method's code, as it was compiled from, of a return address in its machine code. TraceEvent interpolates between
/// the places that the runtime lists, which suits samples of a profile; for a call it may give the line after it.
/// </summary>
internal sealed class CodeMaps
{
    private readonly List<(ulong Start, ulong End, long Method)> _methods = [];
    private readonly Dictionary<long, List<(int Native, int Place)[]>> _maps = [];
    private readonly Dictionary<ulong, (int Native, int Place)[]> _mapsOfCode = [];

    private CodeMaps()
    {
    }

    /// <summary>Reads what a session listed at its end.</summary>
    internal static CodeMaps Read(string session)
    {
        var maps = new CodeMaps();
        using var source = new EventPipeEventSource(session);
        var rundown = new ClrRundownTraceEventParser(source);
        rundown.MethodDCStopVerbose += one =>
            maps._methods.Add((one.MethodStartAddress, one.MethodStartAddress + (uint)one.MethodSize, one.MethodID));
        rundown.MethodILToNativeMapDCStop += maps.Add;
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

    /// <summary>Returns the place of the call that returns to an address; -1 if it is unknown.</summary>
    internal int Find(ulong returnAddress)
    {
        ulong call = returnAddress - 1;
        int at = _methods.BinarySearch((call, ulong.MaxValue, long.MaxValue));
        at = at < 0 ? ~at - 1 : at;
        if (at < 0 || call >= _methods[at].End || !_mapsOfCode.TryGetValue(_methods[at].Start, out (int Native, int Place)[]? map))
        {
            return -1;
        }

        int offset = (int)(call - _methods[at].Start);
        int place = -1;
        foreach ((int native, int of) in map)
        {
            if (native > offset)
            {
                break;
            }

            place = of;
        }

        return place;
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
        foreach ((ulong start, _, long method) in _methods)
        {
            int number = next.GetValueOrDefault(method);
            if (_maps.TryGetValue(method, out List<(int Native, int Place)[]>? maps) && number < maps.Count)
            {
                _mapsOfCode[start] = maps[number];
                next[method] = number + 1;
            }
        }

        _methods.Sort();
    }
}
