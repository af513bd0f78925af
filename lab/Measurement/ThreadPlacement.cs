using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;

namespace Tarn.Lab.Measurement;

/// <summary>
/// Gives threads processors of their own. Otherwise a scheduler may run two threads that wait for each other on one processor; then nothing
/// passes from core to core and no lock is ever contended. Does nothing on an OS that offers no way (macOS).
/// </summary>
internal static partial class ThreadPlacement
{
    private const int MaskWords = 16;
    private const int BitsPerWord = 64;

    /// <summary>Keeps the calling thread on the <paramref name="index"/>-th processor that this process may use.</summary>
    public static void Pin(int index)
    {
        if (OperatingSystem.IsLinux())
        {
            PinOnLinux(index);
        }
        else if (OperatingSystem.IsWindows() && index < BitsPerWord)
        {
            _ = SetThreadAffinityMask(GetCurrentThread(), (nuint)1 << index);
        }
    }

    /// <summary>Runs work on a separate thread on that processor and waits for it. The calling thread is not bound.</summary>
    public static void Run(int index, Action work)
    {
        ExceptionDispatchInfo? failure = null;
        var thread = new Thread(() =>
        {
            Pin(index);
            try
            {
                work();
            }
            catch (Exception exception)
            {
                failure = ExceptionDispatchInfo.Capture(exception);
            }
        });
        thread.Start();
        thread.Join();
        failure?.Throw();
    }

    private static void PinOnLinux(int index)
    {
        // The mask of a container need not begin with processor 0.
        var allowed = new ulong[MaskWords];
        if (GetAffinity(0, MaskWords * sizeof(ulong), allowed) < 0)
        {
            return;
        }

        for (int processor = 0; processor < MaskWords * BitsPerWord; processor++)
        {
            ulong bit = 1UL << (processor % BitsPerWord);
            if ((allowed[processor / BitsPerWord] & bit) == 0 || index-- > 0)
            {
                continue;
            }

            var mask = new ulong[MaskWords];
            mask[processor / BitsPerWord] = bit;
            // A refusal leaves the thread where it was: the measurement is noisier, not wrong.
            _ = SetAffinity(0, MaskWords * sizeof(ulong), mask);
            return;
        }
    }

    [LibraryImport("libc", EntryPoint = "sched_getaffinity")]
    private static partial int GetAffinity(int thread, nuint size, [Out] ulong[] mask);

    [LibraryImport("libc", EntryPoint = "sched_setaffinity")]
    private static partial int SetAffinity(int thread, nuint size, [In] ulong[] mask);

    [LibraryImport("kernel32")]
    private static partial nint GetCurrentThread();

    [LibraryImport("kernel32")]
    private static partial nuint SetThreadAffinityMask(nint thread, nuint mask);
}
