using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn.Lab.Measurement;

/// <summary>How often the calling thread gave its processor up because it had to wait: each such time is a call of the system.</summary>
internal static partial class ThreadSwitches
{
    /// <summary>RUSAGE_THREAD.</summary>
    private const int OfThread = 1;

    /// <summary>ru_nvcsw.</summary>
    private const int Voluntary = 16;

    /// <summary>Only Linux tells it of a thread.</summary>
    public static bool AreKnown => OperatingSystem.IsLinux() && Environment.Is64BitProcess;

    /// <summary>Since the thread began; 0 where it is not known.</summary>
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
