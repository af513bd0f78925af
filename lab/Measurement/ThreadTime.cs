using System.Runtime.InteropServices;

namespace Tarn.Lab.Measurement;

/// <summary>
/// The processor time of the calling thread, which stops while another thread has the processor. If the OS offers no exact value (Windows),
/// it is wall time.
/// </summary>
internal static partial class ThreadTime
{
    private const int ClockOnLinux = 3;
    private const int ClockOnMac = 16;

    private static readonly int s_clock = OperatingSystem.IsLinux() ? ClockOnLinux : OperatingSystem.IsMacOS() ? ClockOnMac : -1;

    /// <summary>Returns nanoseconds since an arbitrary moment; only differences are meaningful.</summary>
    public static long Nanoseconds() =>
        s_clock >= 0 && GetTime(s_clock, out TimeSpec now) == 0
            ? ((long)now.Seconds * 1_000_000_000) + now.Nanoseconds
            : (long)Clock.Nanoseconds(0, System.Diagnostics.Stopwatch.GetTimestamp());

    [LibraryImport("libc", EntryPoint = "clock_gettime")]
    private static partial int GetTime(int clock, out TimeSpec time);

    [StructLayout(LayoutKind.Sequential)]
    private struct TimeSpec
    {
        public nint Seconds;
        public nint Nanoseconds;
    }
}
