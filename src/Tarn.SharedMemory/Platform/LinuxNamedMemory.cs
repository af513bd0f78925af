using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;

namespace Tarn.SharedMemory;

/// <summary>Linux: files in the memory file system in which the C library keeps its named shared memory.</summary>
/// <remarks>
/// <para>shm_open calls open in that directory. This class calls open itself, because O_TMPFILE creates a file without a name, and linkat
/// gives it a name if that is free. All numbers are those of 64-bit Linux, the same on every processor except where noted.</para>
/// <para>Calls that a signal interrupts are repeated.</para>
/// </remarks>
/// <param name="directory">The directory that holds the names, in a memory file system.</param>
[SupportedOSPlatform("linux")]
internal sealed partial class LinuxNamedMemory(string directory) : NamedMemory(directory)
{
    /// <summary>AT_FDCWD.</summary>
    private const int FromWorkingDirectory = -100;

    /// <summary>AT_SYMLINK_FOLLOW.</summary>
    private const int FollowLinks = 0x400;

    /// <summary>MADV_HUGEPAGE. Kernels built without huge pages refuse it.</summary>
    private const int HugePage = 14;

    /// <summary>MADV_POPULATE_WRITE, since Linux 5.14: touches the whole range, because only touching it gets huge pages.</summary>
    private const int PopulateWrite = 23;

    /// <summary>
    /// The most bytes requested at a time. A signal undoes the call it interrupts, so with frequent signals a call for a large size would
    /// never succeed.
    /// </summary>
    private const long LargestStep = 64 << 20;

    /// <summary>O_TMPFILE, which contains O_DIRECTORY, whose number differs on two processor families.</summary>
    private static readonly int s_withoutName = 0x400000 | (UnixFile.IsArm ? 0x4000 : 0x10000);

    /// <inheritdoc/>
    internal override bool HasSeats => true;

    /// <inheritdoc/>
    internal override NamedFile? TryCreate(
        string name, long size, UnixFileMode mode, bool preferHugePages, Func<SafeFileHandle, byte[]> describe)
    {
        RefuseMoreThanIsFree(name, size);
        SafeFileHandle file = CreateWithoutName(name);
        SafeBuffer? memory = null;
        bool isNamed = false;
        try
        {
            RandomAccess.SetLength(file, size);
            memory = Map(file, size);
            if (preferHugePages)
            {
                _ = Advise(memory, (nuint)size, HugePage);
                _ = Advise(memory, (nuint)size, PopulateWrite);
            }

            Allocate(file, name, size);
            RandomAccess.Write(file, describe(file), 0);
            File.SetUnixFileMode(file, mode);
            isNamed = TryPublish(file, name);
            return isNamed ? new NamedFile(memory, file) : null;
        }
        finally
        {
            if (!isNamed)
            {
                memory?.Dispose();
                file.Dispose();
            }
        }
    }

    /// <summary>
    /// Refuses a size that exceeds the free memory at once. Otherwise the allocation would take all memory before it fails, at the expense
    /// of other processes.
    /// </summary>
    private void RefuseMoreThanIsFree(string name, long size)
    {
        if (!System.IO.Directory.Exists(Directory))
        {
            return;
        }

        // A file system without a limit reports 0 bytes in total and 0 bytes free.
        DriveInfo system = new(Directory);
        if (system.AvailableFreeSpace is long free && size > free && system.TotalSize > 0)
        {
            throw new IOException($"{PathOf(name)} cannot have {size} bytes: only {free} are free.");
        }
    }

    private SafeFileHandle CreateWithoutName(string name)
    {
        int descriptor = UnixFile.Open(Directory, UnixFile.ReadWrite | s_withoutName);
        return descriptor >= 0
            ? new SafeFileHandle(descriptor, ownsHandle: true)
            : throw RefusedByDirectory($"{PathOf(name)} cannot be created", Marshal.GetLastPInvokeError());
    }

    /// <summary>A sandbox may lack the directory, or have another file system there: the message says what to give it.</summary>
    private Exception RefusedByDirectory(string what, int error)
    {
        string? lack = (UnixFile.Errno)error switch
        {
            UnixFile.Errno.NoSuchFile => $"there is no directory {Directory}",
            UnixFile.Errno.IsDirectory or UnixFile.Errno.NotSupported =>
                $"the file system of {Directory} has no files without a name (O_TMPFILE)",
            _ => null,
        };
        return lack is null
            ? UnixFile.Refused(what, error)
            : new IOException($"{what}: {lack}. Shared memory needs a memory file system (tmpfs) there.", error);
    }

    /// <summary>
    /// Calls posix_fallocate. A file that only has a length gets its memory when it is touched, and if none is left then, a signal kills
    /// the process.
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
            else if ((UnixFile.Errno)error != UnixFile.Errno.Interrupted)
            {
                throw UnixFile.Refused($"{PathOf(name)} cannot have {size} bytes", error);
            }
        }
    }

    /// <summary>
    /// Calls linkat with the kernel's name for the open file, because only privileged processes may pass the file itself.
    /// </summary>
    private bool TryPublish(SafeFileHandle file, string name)
    {
        string unnamed = $"/proc/self/fd/{file.DangerousGetHandle()}";
        if (Link(FromWorkingDirectory, unnamed, FromWorkingDirectory, PathOf(name), FollowLinks) == 0)
        {
            return true;
        }

        int error = Marshal.GetLastPInvokeError();
        return (UnixFile.Errno)error == UnixFile.Errno.Exists ? false : throw UnixFile.Refused($"{PathOf(name)} cannot be named", error);
    }

    [LibraryImport("libc", EntryPoint = "madvise", SetLastError = true)]
    private static partial int Advise(SafeBuffer memory, nuint size, int advice);

    /// <summary>Returns the error instead of setting it.</summary>
    [LibraryImport("libc", EntryPoint = "posix_fallocate")]
    private static partial int Allocate(SafeFileHandle file, long offset, long length);

    [LibraryImport("libc", EntryPoint = "linkat", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Link(int fromDirectory, string from, int toDirectory, string to, int flags);
}
