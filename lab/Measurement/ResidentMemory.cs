using System.Diagnostics;
using System.Globalization;

namespace Tarn.Lab.Measurement;

/// <summary>
/// How much of this process's memory is in RAM, in bytes. On Linux it is the anonymous part, counted page by page: what files bring in
/// is not an allocator's, and the kernel's running counters may lag by hundreds of kilobytes. Elsewhere it is the working set.
/// </summary>
internal static class ResidentMemory
{
    private const string File = "/proc/self/smaps_rollup";
    private const string Line = "Anonymous:";
    private const int BytesPerKilobyte = 1024;

    public static long Read()
    {
        if (System.IO.File.Exists(File))
            return Parse(System.IO.File.ReadAllText(File));

        using Process process = Process.GetCurrentProcess();
        return process.WorkingSet64;
    }

    /// <summary>Reads <c>Anonymous: 1234 kB</c> among the lines of the kernel's summary.</summary>
    internal static long Parse(string summary)
    {
        foreach (ReadOnlySpan<char> line in summary.AsSpan().EnumerateLines())
        {
            if (line.StartsWith(Line))
                return long.Parse(line[Line.Length..].TrimEnd("kB").Trim(), CultureInfo.InvariantCulture) * BytesPerKilobyte;
        }

        throw new InvalidDataException($"{File} has no line that begins with {Line}");
    }
}
