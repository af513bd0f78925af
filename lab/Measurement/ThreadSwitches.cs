using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn.Lab.Measurement;

/// <summary>Counts how often the calling thread gave up its processor to wait. Each time is a call to the system.</summary>
internal static partial class ThreadSwitches
{
    /// <summary>RUSAGE_THREAD.</summary>
    private const int OfThread = 1;

    /// <summary>ru_nvcsw.</summary>
    private const int Voluntary = 16;

    /// <summary>Whether the counts are available. Only Linux reports them for a thread.</summary>
    public static bool AreKnown => OperatingSystem.IsLinux() && Environment.Is64BitProcess;

    /// <summary>Returns the count since the thread began; 0 if unavailable.</summary>
    public static long Read() => AreKnown && GetUsage(OfThread, out Usage usage) == 0 ? usage[Voluntary] : 0;

    [LibraryImport("libc", EntryPoint = "getrusage")]
    private static partial int GetUsage(int who, out Usage usage);

    /// <summary>Two times of two numbers each, and fourteen numbers.</summary>
    [InlineArray(18)]
    private struct Usage
    {
        private long _first;
    }
}
