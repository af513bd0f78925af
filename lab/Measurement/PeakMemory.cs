using System.Diagnostics;
using System.Globalization;

namespace Tarn.Lab.Measurement;

/// <summary>
/// The growth of this process's memory in RAM from <see cref="Start"/> to its peak, in bytes. On Linux the kernel keeps the peak and can
/// reset it. Where it cannot (on other systems, or if the kernel refuses), the peak is that of the whole process. That is correct unless
/// more was used before the start, and the start of a child is small.
/// </summary>
internal sealed class PeakMemory
{
    private const string ResetFile = "/proc/self/clear_refs";
    private const string ResetPeak = "5";
    private const string StatusFile = "/proc/self/status";
    private const int BytesPerKilobyte = 1024;

    private readonly long _before;

    private PeakMemory(long before) => _before = before;

    public static PeakMemory Start()
    {
        if (!File.Exists(StatusFile))
        {
            return new PeakMemory(WorkingSet(process => process.WorkingSet64));
        }

        TryResetPeak();
        return new PeakMemory(ReadLine("VmRSS:"));
    }

    public long BytesOverStart() =>
        Math.Max(0, (File.Exists(StatusFile) ? ReadLine("VmHWM:") : WorkingSet(process => process.PeakWorkingSet64)) - _before);

    /// <summary>The value of a line such as <c>VmHWM:   1234 kB</c>, in bytes.</summary>
    internal static long Parse(string status, string line)
    {
        foreach (ReadOnlySpan<char> text in status.AsSpan().EnumerateLines())
        {
            if (text.StartsWith(line))
            {
                return long.Parse(text[line.Length..].TrimEnd("kB").Trim(), CultureInfo.InvariantCulture) * BytesPerKilobyte;
            }
        }

        throw new InvalidDataException($"{StatusFile} has no line that begins with {line}");
    }

    private static long ReadLine(string line) => Parse(File.ReadAllText(StatusFile), line);

    private static void TryResetPeak()
    {
        try
        {
            File.WriteAllText(ResetFile, ResetPeak);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // The peak of the whole process then counts.
        }
    }

    private static long WorkingSet(Func<Process, long> read)
    {
        using Process process = Process.GetCurrentProcess();
        return read(process);
    }
}
