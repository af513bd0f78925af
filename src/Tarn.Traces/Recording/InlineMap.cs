using System.Buffers.Binary;

namespace Tarn.Traces;

/// <summary>
/// The calls that the compiler replaced in one compilation of a method by the code of the methods they call: a tree of calls, and which
/// machine code is of which call. Immutable and safe to share.
/// </summary>
internal sealed class InlineMap
{
    // A node: the method, the place of the call in the caller's code, the first call in it, the next call of the same caller.
    private const int FirstCallAt = sizeof(long) + sizeof(uint);
    private const int NextCallAt = FirstCallAt + sizeof(uint);
    private const int NodeBytes = NextCallAt + sizeof(uint);

    // A mapping: the place, the node, the machine code's offset, a byte for the source of the mapping.
    private const int MappingBytes = 3 * sizeof(uint) + 1;

    private const int HeadBytes = 2 * sizeof(uint);

    private readonly long[] _methods;
    private readonly int[] _callers;
    private readonly int[] _places;
    private readonly (int Native, int Call, int Place)[] _mappings;

    private InlineMap(long[] methods, int[] callers, (int Native, int Call, int Place)[] mappings)
    {
        _methods = methods;
        _callers = callers;
        _places = FindPlaces(callers, mappings);
        _mappings = mappings;
    }

    /// <summary>Reads the map as the runtime sends it; null if it is not one.</summary>
    internal static InlineMap? Parse(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length < HeadBytes)
        {
            return null;
        }

        long calls = BinaryPrimitives.ReadUInt32LittleEndian(bytes);
        long mappings = BinaryPrimitives.ReadUInt32LittleEndian(bytes[sizeof(uint)..]);
        if (calls == 0 || bytes.Length != HeadBytes + calls * NodeBytes + mappings * MappingBytes)
        {
            return null;
        }

        ReadOnlySpan<byte> nodes = bytes[HeadBytes..];
        var methods = new long[calls];
        for (int call = 0; call < methods.Length; call++)
        {
            methods[call] = BinaryPrimitives.ReadInt64LittleEndian(nodes[(call * NodeBytes)..]);
        }

        return new InlineMap(
            methods,
            ParseCallers(nodes, methods.Length),
            ParseMappings(nodes[(methods.Length * NodeBytes)..], (int)mappings, methods.Length));
    }

    /// <summary>The methods at an offset of the machine code and the places in them, the innermost first; empty if unknown.</summary>
    internal IReadOnlyList<CodePlace> Find(int offset)
    {
        int at = _mappings.AsSpan().BinarySearch(new Offset(offset));
        at = at < 0 ? ~at - 1 : at;
        if (at < 0)
        {
            return [];
        }

        List<CodePlace> places = [];
        int place = _mappings[at].Place;
        for (int call = _mappings[at].Call; call >= 0; call = _callers[call])
        {
            places.Add(new CodePlace(_methods[call], place));
            place = _places[call];
        }

        return places;
    }

    private static int[] ParseCallers(ReadOnlySpan<byte> nodes, int count)
    {
        var callers = new int[count];
        Array.Fill(callers, -1);
        for (int caller = 0; caller < count; caller++)
        {
            // A call has a number above its caller's, so that a malformed tree cannot have a circle.
            int call = BinaryPrimitives.ReadInt32LittleEndian(nodes[(caller * NodeBytes + FirstCallAt)..]);
            while (call > caller && call < count && callers[call] < 0)
            {
                callers[call] = caller;
                call = BinaryPrimitives.ReadInt32LittleEndian(nodes[(call * NodeBytes + NextCallAt)..]);
            }
        }

        return callers;
    }

    private static (int Native, int Call, int Place)[] ParseMappings(ReadOnlySpan<byte> bytes, int count, int calls)
    {
        List<(int Native, int Call, int Place)> mappings = [];
        for (int index = 0; index < count; index++)
        {
            ReadOnlySpan<byte> mapping = bytes[(index * MappingBytes)..];
            int place = BinaryPrimitives.ReadInt32LittleEndian(mapping);
            int call = BinaryPrimitives.ReadInt32LittleEndian(mapping[sizeof(uint)..]);

            // Below 0: code that belongs to no place, such as the method's end.
            if (place >= 0 && (uint)call < (uint)calls)
            {
                mappings.Add((BinaryPrimitives.ReadInt32LittleEndian(mapping[(2 * sizeof(uint))..]), call, place));
            }
        }

        return [.. mappings.OrderBy(one => one.Native)];
    }

    /// <summary>
    /// The place of each inlined call in its caller. The nodes have a field for it, but the runtime leaves what happened to be in memory
    /// there. So it is the caller's last place before the first machine code of the call: the statement with the call, or the one before it
    /// if nothing but inlined code is left of the statement. A call with which the caller's machine code begins is in its first statement.
    /// </summary>
    private static int[] FindPlaces(int[] callers, (int Native, int Call, int Place)[] mappings)
    {
        var places = new int[callers.Length];
        var last = new int[callers.Length];
        var isFound = new bool[callers.Length];
        foreach ((_, int of, int place) in mappings)
        {
            for (int call = of; callers[call] >= 0 && !isFound[call]; call = callers[call])
            {
                places[call] = last[callers[call]];
                isFound[call] = true;
            }

            last[of] = place;
        }

        return places;
    }

    /// <summary>Compares as behind all mappings of its offset but the last.</summary>
    private readonly record struct Offset(int Native) : IComparable<(int Native, int Call, int Place)>
    {
        public int CompareTo((int Native, int Call, int Place) other) => Native < other.Native ? -1 : 1;
    }
}
