using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Tarn.SharedMemory;

/// <summary>
/// Tells whether any process has a file open or mapped, in this container or another one: Linux grants a lease only if none has.
/// </summary>
internal static partial class FileLease
{
    /// <summary>F_SETSIG and F_SETLEASE.</summary>
    private const int SetSignal = 10;
    private const int SetLease = 1024;

    /// <summary>F_WRLCK: a lease for writing, which excludes every other open file.</summary>
    private const int Exclusive = 1;

    /// <summary>SIGURG, which does nothing to a process. The usual signal to the holder of a lease ends it.</summary>
    private const int Harmless = 23;

    /// <summary>EAGAIN: somebody else has it open.</summary>
    private const int TryAgain = 11;

    /// <summary>
    /// Whether anything but this handle has the file open or mapped; null if the system does not tell. If nothing has, nobody can open the
    /// file until the handle is closed: an attempt fails, as Tarn's does, or waits.
    /// </summary>
    internal static bool? IsOpenElsewhere(SafeFileHandle file)
    {
        if (!OperatingSystem.IsLinux() || Control(file, SetSignal, Harmless) != 0)
        {
            return null;
        }

        return Control(file, SetLease, Exclusive) == 0 ? false : Marshal.GetLastPInvokeError() == TryAgain ? true : null;
    }

    /// <summary>C declares the last parameter as variadic; 64-bit Linux passes both kinds alike.</summary>
    [LibraryImport("libc", EntryPoint = "fcntl", SetLastError = true)]
    private static partial int Control(SafeFileHandle file, int command, nint argument);
}
