using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Tarn.SharedMemory;

/// <summary>
/// The seats of a file: places that one process at a time has. A seat is free when its process leaves it or ends, however it ends. Every
/// process that has the file open sees which seats are taken, also one with process ids of its own.
/// </summary>
/// <remarks>
/// <para>A seat is a lock on a byte that lies behind any file's end. The lock belongs to the open file (an open-file-description lock of
/// Linux), so two objects of one process exclude each other as two processes do, and closing another handle of the same file keeps it. A
/// child that was forked has the open file as well until it starts its program; therefore <see cref="Leave"/> unlocks, because closing does
/// not.</para>
/// <para>Which seats there are is their user's affair. All members are safe to call from any thread.</para>
/// </remarks>
internal sealed unsafe partial class FileSeats
{
    /// <summary>The most seats of a file that one object can take.</summary>
    internal const int MostSeats = 64;

    /// <summary>Where the seats begin: no file is as long.</summary>
    private const long FirstByte = 1L << 62;

    /// <summary>F_OFD_GETLK.</summary>
    private const int Look = 36;

    /// <summary>F_OFD_SETLK.</summary>
    private const int Set = 37;

    /// <summary>F_RDLCK.</summary>
    private const short Shared = 0;

    /// <summary>F_WRLCK.</summary>
    private const short Exclusive = 1;

    /// <summary>F_UNLCK.</summary>
    private const short Free = 2;

    /// <summary>EAGAIN and EACCES: another open file has the lock.</summary>
    private const int TryAgain = 11;
    private const int NoAccess = 13;

    private readonly SafeFileHandle _file;

    /// <summary>A bit for each seat that this object has.</summary>
    private ulong _mine;

    private FileSeats(SafeFileHandle file) => _file = file;

    /// <summary>The seats of a file, which stays open as long as they are used; null where the system has no such locks.</summary>
    internal static FileSeats? Of(SafeFileHandle file) =>
        OperatingSystem.IsLinux() && new FileSeats(file) is var seats && seats.Ask(0) is not null ? seats : null;

    /// <summary>Takes a seat. Returns false if another has it, or this object.</summary>
    /// <exception cref="IOException">The system refuses for another reason, for instance because it has no memory for the lock.</exception>
    /// <exception cref="ObjectDisposedException">The file was closed.</exception>
    internal bool TryTake(int seat)
    {
        ulong bit = 1ul << seat;
        if ((Interlocked.Or(ref _mine, bit) & bit) != 0)
        {
            return false;
        }

        FileLock wanted = FileLock.On(seat, Exclusive);
        if (Control(_file, Set, &wanted) == 0)
        {
            return true;
        }

        int error = Marshal.GetLastPInvokeError();
        Interlocked.And(ref _mine, ~bit);
        return error is TryAgain or NoAccess
            ? false
            : throw new IOException($"The system grants no lock on a shared region: {Marshal.GetPInvokeErrorMessage(error)}.", error);
    }

    /// <summary>Leaves a seat, if this object has it.</summary>
    internal void Leave(int seat)
    {
        ulong bit = 1ul << seat;
        if ((Volatile.Read(ref _mine) & bit) == 0)
        {
            return;
        }

        FileLock free = FileLock.On(seat, Free);
        _ = Control(_file, Set, &free);
        Interlocked.And(ref _mine, ~bit);
    }

    /// <summary>Whether anybody has a seat, this object included.</summary>
    /// <exception cref="ObjectDisposedException">The file was closed.</exception>
    internal bool IsTaken(int seat) => (Volatile.Read(ref _mine) & (1ul << seat)) != 0 || Ask(seat) != false;

    /// <summary>Whether another object has a seat; null when the system refuses to tell.</summary>
    /// <remarks>
    /// It looks for exclusive locks only. A process that may only read the file can take a shared one, and so cannot pretend to be anybody.
    /// </remarks>
    private bool? Ask(int seat)
    {
        FileLock found = FileLock.On(seat, Shared);
        return Control(_file, Look, &found) == 0 ? found.Type != Free : null;
    }

    /// <summary>struct flock of 64-bit Linux.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private struct FileLock
    {
        internal short Type;
        internal short From;
        internal long Start;
        internal long Length;
        internal int Process;

        internal static FileLock On(int seat, short type) => new() { Type = type, Start = FirstByte + seat, Length = 1 };
    }

    /// <summary>C declares the last parameter as variadic; 64-bit Linux passes both kinds alike.</summary>
    [LibraryImport("libc", EntryPoint = "fcntl", SetLastError = true)]
    private static partial int Control(SafeFileHandle file, int command, FileLock* argument);
}
