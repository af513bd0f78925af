using System.Globalization;

namespace Tarn.Tool.Memory.Mappings;

/// <summary>Reads the mappings of a process from <c>/proc/PID/smaps</c>.</summary>
internal static class MappingList
{
    private const long Kilobyte = 1_024;

    /// <summary>Reads all mappings, in the order of their addresses.</summary>
    /// <exception cref="InvalidDataException">A line is not of a list of mappings.</exception>
    public static IReadOnlyList<Mapping> Read(TextReader text)
    {
        List<Mapping> mappings = [];
        while (text.ReadLine() is { } line)
        {
            if (TryReadHead(line) is { } mapping)
            {
                mappings.Add(mapping);
            }
            else if (mappings.Count > 0)
            {
                mappings[^1] = ReadField(mappings[^1], line);
            }
            else
            {
                throw new InvalidDataException($"'{line}' begins no list of mappings.");
            }
        }

        return mappings;
    }

    /// <summary>Such as <c>7f00-7f10 rw-p 00000000 00:00 0    [heap]</c>; null for any other line.</summary>
    private static Mapping? TryReadHead(string line)
    {
        string[] fields = line.Split(' ', 6, StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        return fields.Length >= 5 && fields[0].Split('-') is [var start, var end]
            && ulong.TryParse(start, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ulong first)
            && ulong.TryParse(end, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ulong behind)
            ? new Mapping { Start = first, End = behind, Permissions = fields[1], Name = fields.Length > 5 ? fields[5] : "" }
            : null;
    }

    private static Mapping ReadField(Mapping mapping, string line)
    {
        int colon = line.IndexOf(':', StringComparison.Ordinal);
        return line[..Math.Max(0, colon)] switch
        {
            "Rss" => mapping with { Resident = Bytes(line, colon) },
            "Swap" => mapping with { Swapped = Bytes(line, colon) },
            "AnonHugePages" => mapping with { HugePages = Bytes(line, colon) },
            "VmFlags" => mapping with { Flags = $" {line[(colon + 1)..].Trim()} " },
            _ => mapping,
        };
    }

    private static long Bytes(string line, int colon) =>
        long.Parse(line.AsSpan(colon + 1).Trim().TrimEnd("kB").Trim(), NumberStyles.None, CultureInfo.InvariantCulture) * Kilobyte;
}
