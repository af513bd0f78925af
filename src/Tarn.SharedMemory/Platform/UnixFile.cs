using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Tarn.SharedMemory;

/// <summary>
/// Linux and macOS: files that are opened in one step, and the lock that a process holds on a file while it takes the file's name away.
/// </summary>
/// <remarks>
/// The base library would follow a link, could be deceived between its look and its call, and takes a lock of its own on each file it
/// opens. Numbers are those of 64-bit systems; where the systems differ, both are given.
/// </remarks>
internal static partial class UnixFile
{
    /// <summary>O_RDWR.</summary>
    internal const int ReadWrite = 0x2;

    /// <summary>LOCK_EX and LOCK_NB.</summary>
    private const int LockWithoutWaiting = 2 | 4;

    /// <summary>LOCK_UN.</summary>
    private const int Unlocked = 8;

    /// <summary>Longer than any process that runs takes to remove a name. One that was stopped meanwhile may take longer.</summary>
    private const int MostMilliseconds = 5000;

    /// <summary>O_CLOEXEC: not for the children of this process.</summary>
    private static readonly int s_closeInChildren = OperatingSystem.IsMacOS() ? 0x100_0000 : 0x8_0000;

    /// <summary>O_NONBLOCK: do not wait if another process put a pipe there.</summary>
    private static readonly int s_withoutWaiting = OperatingSystem.IsMacOS() ? 0x4 : 0x800;

    /// <summary>O_NOFOLLOW, whose number differs on two processor families of Linux.</summary>
    private static readonly int s_noLinks = OperatingSystem.IsMacOS() ? 0x100 : IsArm ? 0x8000 : 0x2_0000;

    /// <summary>EWOULDBLOCK.</summary>
    private static readonly int s_wouldBlock = OperatingSystem.IsMacOS() ? 35 : 11;

    /// <summary>Whether Linux numbers some flags of open as it does on Arm.</summary>
    internal static bool IsArm => RuntimeInformation.ProcessArchitecture is Architecture.Arm64 or Architecture.Arm or Architecture.Ppc64le;

    /// <summary>Opens a file for reading and writing; null when it does not exist. Never follows a link and never waits.</summary>
    /// <exception cref="UnauthorizedAccessException">The system denies the process access.</exception>
    /// <exception cref="IOException">It is not a file, or the system refuses for another reason.</exception>
    internal static SafeFileHandle? TryOpen(string path)
    {
        int descriptor = Open(path, ReadWrite | s_withoutWaiting | s_noLinks);
        if (descriptor >= 0)
        {
            return new SafeFileHandle(descriptor, ownsHandle: true);
        }

        int error = Marshal.GetLastPInvokeError();
        return (Errno)error == Errno.NoSuchFile ? null : throw Refused($"{path} cannot be opened", error);
    }

    /// <summary>Opens a file; returns its descriptor, or -1. A created file is accessible to this user alone.</summary>
    internal static int Open(string path, int flags)
    {
        int descriptor;
        do
        {
            descriptor = OpenFile(path, flags | s_closeInChildren, (int)(UnixFileMode.UserRead | UnixFileMode.UserWrite));
        }
        while (descriptor < 0 && (Errno)Marshal.GetLastPInvokeError() == Errno.Interrupted);

        return descriptor;
    }

    /// <summary>Waits for the lock on a file's name, which vanishes with the process that holds it.</summary>
    /// <exception cref="IOException">Another process holds it for long, or the system has no such locks there.</exception>
    internal static void LockName(SafeFileHandle file, string path)
    {
        using UninterruptedWait wait = new();
        for (long start = Environment.TickCount64; Lock(file, LockWithoutWaiting) != 0; wait.Once())
        {
            int error = Marshal.GetLastPInvokeError();
            if (error != s_wouldBlock && (Errno)error != Errno.Interrupted)
            {
                throw Refused($"{path} cannot be locked", error);
            }

            if (Environment.TickCount64 - start > MostMilliseconds)
            {
                throw new IOException(
                    $"{path} was not removed: another process, perhaps a stopped one, has held its lock for {MostMilliseconds} ms.");
            }
        }
    }

    /// <summary>Gives the lock up. Closing the file is not enough while a child that was just forked has it open too.</summary>
    internal static void UnlockName(SafeFileHandle file) => _ = Lock(file, Unlocked);

    /// <summary>Creates the exception for a call that the system refused.</summary>
    internal static Exception Refused(string what, int error)
    {
        string message = $"{what}: {Marshal.GetPInvokeErrorMessage(error)}.";
        return (Errno)error is Errno.NoPermission or Errno.NotPermitted
            ? new UnauthorizedAccessException(message)
            : new IOException(message, error);
    }

    /// <summary>Errors that are alike on both systems, but for the last.</summary>
    internal enum Errno
    {
        NotPermitted = 1,
        NoSuchFile = 2,
        Interrupted = 4,
        NoPermission = 13,
        Exists = 17,
        IsDirectory = 21,

        /// <summary>EOPNOTSUPP of Linux.</summary>
        NotSupported = 95,
    }

    /// <summary>
    /// C declares the last parameter as variadic. 64-bit Linux passes both kinds alike; macOS does not on Arm, and reads it only for files
    /// that the call creates, which it does on Linux alone.
    /// </summary>
    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int OpenFile(string path, int flags, int mode);

    [LibraryImport("libc", EntryPoint = "flock", SetLastError = true)]
    private static partial int Lock(SafeFileHandle file, int operation);
}
