using System.Globalization;
using System.IO.MemoryMappedFiles;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Tarn.SharedMemory;

/// <summary>
/// What the library requires of an operating system to share memory by name: one contract, with one file for each system.
/// </summary>
/// <remarks>
/// <para>On every system it is a file, which all processes that open it map as shared. The systems differ in where the file is and in how
/// it gets its name. Memory is created without a name and gets one in a single step when it is complete, so no process can open a half-made
/// file, and a process that is killed in between leaves no name behind.</para>
/// <para>Names are file names that were validated. All members are safe to call
/// from any thread and any process. Failures throw exceptions that name the object, and leave nothing behind.</para>
/// </remarks>
/// <param name="directory">The directory that holds the names.</param>
internal abstract partial class NamedMemory(string directory)
{
    /// <summary>Marks temporary names; final names never contain it.</summary>
    private const char Temporary = '~';

    private const string TemporaryPrefix = "tarn~";

    /// <summary>The parts of a temporary name: the prefix, the process, the namespace of its id, and a number.</summary>
    private const int TemporaryParts = 4;

    /// <summary>ERROR_ALREADY_EXISTS of Windows.</summary>
    private const int AlreadyExists = 183;

    /// <summary>ERROR_FILE_EXISTS of Windows.</summary>
    private const int FileExists = 80;

    private static long s_names;

    private const string Part = "Shared regions, rings, queues, topics and values";

    private static readonly NamedMemory? s_current =
        OperatingSystem.IsLinux() ? new LinuxNamedMemory("/dev/shm")
        : OperatingSystem.IsMacOS() ? new FileNamedMemory("/tmp")
        : OperatingSystem.IsWindows() ? new FileNamedMemory(Path.GetTempPath())
        : null;

    /// <summary>The system this process runs on.</summary>
    /// <exception cref="PlatformNotSupportedException">The process is not a 64-bit process on Linux, macOS or Windows.</exception>
    internal static NamedMemory Current
    {
        get
        {
            SupportedProcess.Require64Bits(Part);
            return s_current ?? throw SupportedProcess.UnknownSystem(Part);
        }
    }

    /// <summary>The directory that holds the names.</summary>
    internal string Directory { get; } = directory;

    /// <summary>
    /// Whether the processes that use a file have seats in it. Otherwise they know of each other only by process ids, which mean something
    /// in one id namespace.
    /// </summary>
    internal virtual bool HasSeats => false;

    /// <summary>
    /// Creates memory that is zero except for its beginning, and names it. The system reserves every byte, so touching it later never
    /// fails.
    /// </summary>
    /// <param name="name">The name.</param>
    /// <param name="size">Bytes, positive.</param>
    /// <param name="mode">The permission bits, applied exactly, whatever the process's umask; ignored where the system has none.</param>
    /// <param name="preferHugePages">Whether to request huge pages. The system may ignore the request.</param>
    /// <param name="describe">
    /// Returns the contents of the first bytes, at most <paramref name="size"/> of them, for the open file, which no other process has
    /// seen.
    /// </param>
    /// <returns>The memory. Null if the name is taken; nothing has changed then.</returns>
    /// <exception cref="IOException">There is not enough memory, or the system refuses for another reason.</exception>
    /// <exception cref="UnauthorizedAccessException">The process may not create files there.</exception>
    /// <exception cref="OutOfMemoryException">The process lacks the address space, or has reached its limit of mappings.</exception>
    internal abstract NamedFile? TryCreate(
        string name, long size, UnixFileMode mode, bool preferHugePages, Func<SafeFileHandle, byte[]> describe);

    /// <summary>
    /// Opens named memory for reading and writing; null when the name does not exist. Never follows a link and never waits.
    /// </summary>
    /// <exception cref="UnauthorizedAccessException">The system denies the process access.</exception>
    /// <exception cref="IOException">It is not a file, or the system refuses for another reason.</exception>
    internal virtual SafeFileHandle? TryOpen(string name) =>
        OperatingSystem.IsWindows() ? TryOpenOnWindows(PathOf(name)) : UnixFile.TryOpen(PathOf(name));

    /// <summary>Maps a file's first bytes, which must exist, for reading and writing.</summary>
    /// <returns>
    /// A buffer whose handle is the address. It unmaps when disposed, or some time after it was forgotten. The file may be closed before.
    /// </returns>
    /// <exception cref="OutOfMemoryException">The process lacks the address space, or has reached its limit of mappings.</exception>
    internal static SafeBuffer Map(SafeFileHandle file, long size)
    {
        try
        {
            using MemoryMappedFile mapped = MemoryMappedFile.CreateFromFile(
                file, mapName: null, size, MemoryMappedFileAccess.ReadWrite, HandleInheritability.None, leaveOpen: true);

            // Only the handle is needed. Disposing the view itself would first write the memory to its file.
            return mapped.CreateViewAccessor(0, size).SafeMemoryMappedViewHandle;
        }
        catch (Exception e) when (e is IOException or ArgumentException)
        {
#pragma warning disable CA2201 // the runtime throws this type when memory runs out, so callers expect it
            throw new OutOfMemoryException($"The process has no address space for {size} bytes of shared memory.", e);
#pragma warning restore CA2201
        }
    }

    /// <summary>Returns the size of named memory, which need not be readable; null when the name does not exist.</summary>
    internal long? SizeOf(string name) => new FileInfo(PathOf(name)) is { Exists: true } file ? file.Length : null;

    /// <summary>Lists the names with a prefix, in no order. Other processes may add and remove names at the same time.</summary>
    internal IEnumerable<string> GetNames(string prefix) =>
        GetFileNames(prefix).Where(name => !name.Contains(Temporary, StringComparison.Ordinal));

    /// <summary>
    /// Removes a name if its file is wanted gone. Processes that have the memory mapped keep it. Exactly the file that was examined loses
    /// its name, or none does.
    /// </summary>
    /// <param name="name">The name.</param>
    /// <param name="isWantedGone">Examines the file, once for each file that has the name meanwhile. Its exceptions propagate.</param>
    /// <returns>Whether it was removed; false when there is no such name, or it is not wanted gone.</returns>
    /// <exception cref="UnauthorizedAccessException">The system denies the process access.</exception>
    /// <exception cref="IOException">The system refuses for another reason.</exception>
    /// <remarks>
    /// No system removes a name on a condition. But a new file takes only a free name, and the one way to free a name is this method, which
    /// locks the name: on Unix, by a lock on the file that has it. So the file that was examined under the lock has the name until this
    /// method removes it. Other programs that move files about do not take the lock, and can be told nothing.
    /// </remarks>
    internal bool Remove(string name, Func<SafeFileHandle, bool> isWantedGone) =>
        OperatingSystem.IsWindows() ? RemoveOnWindows(name, isWantedGone) : RemoveOnUnix(name, isWantedGone);

    /// <summary>Whether a name leads to an open file at this moment.</summary>
    internal bool LeadsTo(string name, FileStatus file)
    {
        using SafeFileHandle? found = TryOpen(name);
        return found is not null && FileStatus.Of(found).IsSameFile(file);
    }

    /// <summary>Removes temporary files that ended processes left behind, as far as this process may.</summary>
    /// <remarks>
    /// If a container shares the directory, a file that a process in another id namespace is creating looks like a dead process's here.
    /// Such files stay.
    /// </remarks>
    internal void RemoveLeftovers()
    {
        foreach (string name in GetFileNames(TemporaryPrefix))
        {
            string[] parts = name.Split(Temporary);
            if (parts.Length == TemporaryParts
                && ulong.TryParse(parts[1], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ulong identity)
                && uint.TryParse(parts[2], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out uint valid)
                && valid == ProcessIdentity.Namespace
                && !new ProcessIdentity(identity).IsAlive)
            {
                TryDelete(name);
            }
        }
    }

    /// <summary>Returns a temporary name that no other thread or process uses.</summary>
    protected static string CreateTemporaryName()
    {
        string process = string.Create(
            CultureInfo.InvariantCulture, $"{TemporaryPrefix}{ProcessIdentity.Self.Value:x}{Temporary}{ProcessIdentity.Namespace:x}");
        return string.Create(CultureInfo.InvariantCulture, $"{process}{Temporary}{Interlocked.Increment(ref s_names)}");
    }

    /// <summary>Renames a file in one step if the new name is free. Returns false and changes nothing when it is taken.</summary>
    /// <exception cref="IOException">The system refuses for another reason.</exception>
    /// <remarks>
    /// On Unix the base library first checks the target and then moves over whatever came in between. Creating a second link never replaces
    /// anything.
    /// </remarks>
    protected bool TryMove(string from, string to)
    {
        if (OperatingSystem.IsWindows())
        {
            try
            {
                File.Move(PathOf(from), PathOf(to));
                return true;
            }
            catch (IOException e) when ((e.HResult & 0xFFFF) is AlreadyExists or FileExists)
            {
                return false;
            }
        }

        if (Link(PathOf(from), PathOf(to)) == 0)
        {
            File.Delete(PathOf(from));
            return true;
        }

        int error = Marshal.GetLastPInvokeError();
        return (UnixFile.Errno)error == UnixFile.Errno.Exists
            ? false
            : throw new IOException($"{PathOf(to)} cannot be named: {Marshal.GetPInvokeErrorMessage(error)}.", error);
    }

    /// <summary>Returns the path of a name.</summary>
    protected string PathOf(string name) => Path.Combine(Directory, name);

    private bool RemoveOnUnix(string name, Func<SafeFileHandle, bool> isWantedGone)
    {
        while (true)
        {
            using SafeFileHandle? file = TryOpen(name);
            if (file is null)
            {
                return false;
            }

            UnixFile.LockName(file, PathOf(name));
            try
            {
                if (!LeadsTo(name, FileStatus.Of(file)))
                {
                    // Another process removed the name first. There may be another file of this name.
                    continue;
                }

                if (!isWantedGone(file))
                {
                    return false;
                }

                File.Delete(PathOf(name));
                return true;
            }
            finally
            {
                UnixFile.UnlockName(file);
            }
        }
    }

    /// <summary>
    /// Windows deletes no file that a process has mapped, but moves it. So the name is free at once, and whoever can delete the file does
    /// so later.
    /// </summary>
    private bool RemoveOnWindows(string name, Func<SafeFileHandle, bool> isWantedGone)
    {
        using NameMutex mutex = new(name);
        using (SafeFileHandle? file = TryOpen(name))
        {
            if (file is null || !isWantedGone(file))
            {
                return false;
            }
        }

        string moved = CreateTemporaryName();
        File.Move(PathOf(name), PathOf(moved));
        TryDelete(moved);
        return true;
    }

    /// <summary>Windows: the base library would follow a link, and reports a directory as a lack of permission.</summary>
    private static SafeFileHandle? TryOpenOnWindows(string path)
    {
        try
        {
            return (File.GetAttributes(path) & (FileAttributes.ReparsePoint | FileAttributes.Directory)) == 0
                ? File.OpenHandle(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete)
                : throw new IOException($"{path} is not a file.");
        }
        catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException)
        {
            return null;
        }
    }

    /// <summary>Deletes a file that no process uses any more; one that this process may not delete stays.</summary>
    private void TryDelete(string name)
    {
        try
        {
            File.Delete(PathOf(name));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // It belongs to another user, who can remove it, or a process has it mapped (Windows).
        }
    }

    /// <summary>Lists file names. Patterns mean something else on each system, so there is none.</summary>
    private IEnumerable<string> GetFileNames(string prefix) =>
        System.IO.Directory.Exists(Directory)
            ? System.IO.Directory.EnumerateFileSystemEntries(Directory).Select(path => Path.GetFileName(path))
                .Where(name => name.StartsWith(prefix, StringComparison.Ordinal))
            : [];

    [LibraryImport("libc", EntryPoint = "link", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Link(string from, string to);
}
