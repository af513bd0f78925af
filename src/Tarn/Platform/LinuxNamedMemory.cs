using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace Tarn;

/// <summary>Linux: files in the memory file system where the C library keeps its named shared memory.</summary>
/// <remarks>
/// <para>shm_open is open in that directory; here it is called directly, because O_TMPFILE makes a file that has no name, and linkat gives
/// it one if that is free. All numbers are those of 64-bit Linux, alike on every processor but for what is said.</para>
/// <para>Calls that a signal interrupts are made again.</para>
/// </remarks>
/// <param name="directory">Where the names live: a memory file system.</param>
[SupportedOSPlatform("linux")]
internal sealed partial class LinuxNamedMemory(string directory) : NamedMemory(directory)
{
    /// <summary>O_RDWR.</summary>
    private const int ReadWrite = 0x2;

    /// <summary>O_CLOEXEC: not for the children of this process.</summary>
    private const int CloseInChildren = 0x80000;

    /// <summary>O_NONBLOCK: somebody may have put a pipe there, and it is not waited for.</summary>
    private const int WithoutWaiting = 0x800;

    /// <summary>AT_FDCWD.</summary>
    private const int FromWorkingDirectory = -100;

    /// <summary>AT_SYMLINK_FOLLOW.</summary>
    private const int FollowLinks = 0x400;

    /// <summary>MADV_POPULATE_WRITE, of Linux 5.14: touches all of it, and huge pages are found only by touching.</summary>
    private const int PopulateWrite = 23;

    /// <summary>
    /// So much is asked for at a time, as a signal undoes a call it interrupts: a large size would never be reached where signals are
    /// frequent.
    /// </summary>
    private const long LargestStep = 64 << 20;

    /// <summary>O_DIRECTORY, which two processor families number differently from all others.</summary>
    private static readonly int s_directoryOnly = IsArm ? 0x4000 : 0x10000;

    /// <summary>O_NOFOLLOW, likewise.</summary>
    private static readonly int s_noLinks = IsArm ? 0x8000 : 0x20000;

    /// <summary>O_TMPFILE.</summary>
    private static readonly int s_withoutName = 0x400000 | s_directoryOnly;

    private static bool IsArm => RuntimeInformation.ProcessArchitecture is Architecture.Arm64 or Architecture.Arm or Architecture.Ppc64le;

    /// <inheritdoc/>
    internal override SafeBuffer? TryCreate(string name, long size, UnixFileMode mode, bool preferHugePages, ReadOnlySpan<byte> beginning)
    {
        RefuseMoreThanIsFree(name, size);
        using SafeFileHandle file = CreateWithoutName(name);
        SafeBuffer? memory = null;
        try
        {
            RandomAccess.SetLength(file, size);
            memory = Map(file, size);
            if (preferHugePages)
            {
                VirtualMemory.Current.PreferHugePages(memory.DangerousGetHandle(), (nuint)size);
                _ = Advise(memory, (nuint)size, PopulateWrite);
            }

            Allocate(file, name, size);
            RandomAccess.Write(file, beginning, 0);
            File.SetUnixFileMode(file, mode);
            if (TryPublish(file, name))
            {
                return memory;
            }
        }
        catch
        {
            memory?.Dispose();
            throw;
        }

        memory.Dispose();
        return null;
    }

    /// <inheritdoc/>
    internal override SafeFileHandle? TryOpen(string name)
    {
        int descriptor = Open(PathOf(name), WithoutWaiting | s_noLinks);
        if (descriptor >= 0)
        {
            return new SafeFileHandle(descriptor, ownsHandle: true);
        }

        int error = Marshal.GetLastPInvokeError();
        return (Errno)error == Errno.NoSuchFile ? null : throw Refused($"{PathOf(name)} cannot be opened", error);
    }

    /// <summary>So that what cannot be had does not take all there is before it is refused, which others would feel.</summary>
    private void RefuseMoreThanIsFree(string name, long size)
    {
        if (!System.IO.Directory.Exists(Directory))
        {
            return;
        }

        // A file system without a limit reports 0 bytes, of which 0 are free.
        DriveInfo system = new(Directory);
        if (system.AvailableFreeSpace is long free && size > free && system.TotalSize > 0)
        {
            throw new IOException($"{PathOf(name)} cannot have {size} bytes: {free} are free.");
        }
    }

    private SafeFileHandle CreateWithoutName(string name)
    {
        int descriptor = Open(Directory, s_withoutName);
        return descriptor >= 0
            ? new SafeFileHandle(descriptor, ownsHandle: true)
            : throw Refused($"{PathOf(name)} cannot be made", Marshal.GetLastPInvokeError());
    }

    /// <summary>
    /// posix_fallocate: a file that only has a length gets its memory when it is touched, and the process dies by a signal if there is none
    /// left then.
    /// </summary>
    private void Allocate(SafeFileHandle file, string name, long size)
    {
        for (long allocated = 0; allocated < size;)
        {
            long step = Math.Min(LargestStep, size - allocated);
            int error = Allocate(file, allocated, step);
            if (error == 0)
            {
                allocated += step;
            }
            else if ((Errno)error != Errno.Interrupted)
            {
                throw Refused($"{PathOf(name)} cannot have {size} bytes", error);
            }
        }
    }

    /// <summary>linkat by the name that the kernel has for open files: giving it the file itself is for privileged processes.</summary>
    private bool TryPublish(SafeFileHandle file, string name)
    {
        string unnamed = $"/proc/self/fd/{file.DangerousGetHandle()}";
        if (Link(FromWorkingDirectory, unnamed, FromWorkingDirectory, PathOf(name), FollowLinks) == 0)
        {
            return true;
        }

        int error = Marshal.GetLastPInvokeError();
        return (Errno)error == Errno.Exists ? false : throw Refused($"{PathOf(name)} cannot be named", error);
    }

    /// <summary>The file's descriptor, or -1. What is made is for this user alone.</summary>
    private static int Open(string path, int flags)
    {
        int descriptor;
        do
        {
            descriptor = OpenFile(path, ReadWrite | CloseInChildren | flags, (int)(UnixFileMode.UserRead | UnixFileMode.UserWrite));
        }
        while (descriptor < 0 && (Errno)Marshal.GetLastPInvokeError() == Errno.Interrupted);

        return descriptor;
    }

    private static Exception Refused(string what, int error)
    {
        string message = $"{what}: {Marshal.GetPInvokeErrorMessage(error)}.";
        return (Errno)error is Errno.NoPermission or Errno.NotPermitted
            ? new UnauthorizedAccessException(message)
            : new IOException(message, error);
    }

    private enum Errno
    {
        NotPermitted = 1,
        NoSuchFile = 2,
        Interrupted = 4,
        NoPermission = 13,
        Exists = 17,
    }

    [LibraryImport("libc", EntryPoint = "madvise", SetLastError = true)]
    private static partial int Advise(SafeBuffer memory, nuint size, int advice);

    /// <summary>C declares the last parameter as a variable one; on 64-bit Linux both are passed alike.</summary>
    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int OpenFile(string path, int flags, int mode);

    /// <summary>Returns the error instead of setting it.</summary>
    [LibraryImport("libc", EntryPoint = "posix_fallocate")]
    private static partial int Allocate(SafeFileHandle file, long offset, long length);

    [LibraryImport("libc", EntryPoint = "linkat", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Link(int fromDirectory, string from, int toDirectory, string to, int flags);
}
