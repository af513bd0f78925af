using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn.Lab.Measurement;

/// <summary>How often a thread left its processor.</summary>
/// <param name="Waits">To wait. Each time is a call to the system.</param>
/// <param name="Preemptions">Because the system gave the processor to another thread, or the thread offered it to others (yielded).</param>
internal readonly partial record struct ThreadSwitches(long Waits, long Preemptions)
{
    /// <summary>RUSAGE_THREAD.</summary>
    private const int OfThread = 1;

    /// <summary>ru_nvcsw.</summary>
    private const int Voluntary = 16;

    /// <summary>ru_nivcsw.</summary>
    private const int Involuntary = 17;

    /// <summary>Whether the counts are available. Only Linux reports them for a thread.</summary>
    public static bool AreKnown => OperatingSystem.IsLinux() && Environment.Is64BitProcess;

    /// <summary>Returns the counts of the calling thread since it began; 0 if unavailable.</summary>
    public static ThreadSwitches Read() =>
        AreKnown && GetUsage(OfThread, out Usage usage) == 0 ? new(usage[Voluntary], usage[Involuntary]) : default;

    [LibraryImport("libc", EntryPoint = "getrusage")]
    private static partial int GetUsage(int who, out Usage usage);

    /// <summary>Two times of two numbers each, and fourteen numbers.</summary>
    [InlineArray(18)]
    private struct Usage
    {
        private long _first;
    }
}
