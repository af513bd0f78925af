using System.Buffers.Text;
using System.Diagnostics;
using Microsoft.Win32.SafeHandles;

namespace Tarn.Lab.Measurement;

/// <summary>
/// How much of this process's memory is in RAM, in bytes. On Linux it is the anonymous part, counted page by page: pages of files are not
/// an allocator's, and the kernel's running counters may lag by hundreds of kilobytes. On other systems it is the working set.
/// </summary>
internal static class ResidentMemory
{
    private const string Summary = "/proc/self/smaps_rollup";
    private const int LongestSummary = 4_096;
    private const int BytesPerKilobyte = 1_024;

    /// <summary>Reads the memory. Allocates almost nothing, so that the reading itself does not grow the process.</summary>
    public static long Read()
    {
        if (File.Exists(Summary))
        {
            return ReadSummary();
        }

        using Process process = Process.GetCurrentProcess();
        return process.WorkingSet64;
    }

    private static long ReadSummary()
    {
        using SafeFileHandle file = File.OpenHandle(Summary);
        Span<byte> text = stackalloc byte[LongestSummary];
        int length = RandomAccess.Read(file, text, fileOffset: 0);
        return Parse(text[..length]);
    }

    /// <summary>Reads <c>Anonymous: 1234 kB</c> among the lines of the kernel's summary.</summary>
    internal static long Parse(ReadOnlySpan<byte> summary)
    {
        ReadOnlySpan<byte> line = "\nAnonymous:"u8;
        int at = summary.IndexOf(line);
        if (at < 0 || !Utf8Parser.TryParse(summary[(at + line.Length)..].TrimStart((byte)' '), out long kilobytes, out _))
        {
            throw new InvalidDataException($"{Summary} does not state how much memory is anonymous.");
        }

        return kilobytes * BytesPerKilobyte;
    }
}
