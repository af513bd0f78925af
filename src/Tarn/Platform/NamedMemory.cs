using System.Globalization;
using System.IO.MemoryMappedFiles;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Tarn;

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

    /// <summary>EEXIST.</summary>
    private const int Exists = 17;

    private static long s_names;

    private const string Part = "Shared regions and rings";

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
    /// Creates memory that is zero except for its beginning, and names it. The system reserves every byte, so touching it later never
    /// fails.
    /// </summary>
    /// <param name="name">The name.</param>
    /// <param name="size">Bytes, positive.</param>
    /// <param name="mode">The permission bits, applied exactly, whatever the process's umask; ignored where the system has none.</param>
    /// <param name="preferHugePages">Whether to request huge pages. The system may ignore the request.</param>
    /// <param name="beginning">The contents of the first bytes when others open it; at most <paramref name="size"/> bytes.</param>
    /// <returns>The memory, mapped as by <see cref="Map"/>. Null if the name is taken; nothing has changed then.</returns>
    /// <exception cref="IOException">There is not enough memory, or the system refuses for another reason.</exception>
    /// <exception cref="UnauthorizedAccessException">The process may not create files there.</exception>
    /// <exception cref="OutOfMemoryException">The process lacks the address space, or has reached its limit of mappings.</exception>
    internal abstract SafeBuffer? TryCreate(string name, long size, UnixFileMode mode, bool preferHugePages, ReadOnlySpan<byte> beginning);

    /// <summary>
    /// Opens named memory for reading and writing; null when the name does not exist. Never follows a link and never waits.
    /// </summary>
    /// <exception cref="UnauthorizedAccessException">The system denies the process access.</exception>
    /// <exception cref="IOException">It is not a file, or the system refuses for another reason.</exception>
    internal abstract SafeFileHandle? TryOpen(string name);

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
    /// Removes a name if its file is wanted gone. Processes that have the memory mapped keep it. A file that another process puts in its
    /// place at the same time stays.
    /// </summary>
    /// <param name="name">The name.</param>
    /// <param name="isWantedGone">Examines the file; called twice. Its exceptions propagate.</param>
    /// <returns>Whether it was removed; false when there is no such name, or it is not wanted gone.</returns>
    /// <exception cref="UnauthorizedAccessException">The system denies the process access.</exception>
    /// <exception cref="IOException">The system refuses for another reason.</exception>
    /// <remarks>
    /// No system removes a name conditionally. So the method first moves the file to a temporary name, which no other process touches, and
    /// examines it again. If another file took the name between the first look and the move, that file goes back.
    /// </remarks>
    internal bool Remove(string name, Func<SafeFileHandle, bool> isWantedGone)
    {
        if (!IsWantedGone(name, isWantedGone))
        {
            return false;
        }

        string moved = CreateTemporaryName();
        try
        {
            // Without permission to overwrite, the base library on Unix copies the file where it cannot move it, and leaves the copy.
            File.Move(PathOf(name), PathOf(moved), overwrite: true);
        }
        catch (FileNotFoundException)
        {
            return false;
        }

        bool isWanted = false;
        try
        {
            isWanted = IsWantedGone(moved, isWantedGone);
        }
        finally
        {
            if (isWanted || !TryMove(moved, name))
            {
                File.Delete(PathOf(moved));
            }
        }

        return isWanted;
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
                try
                {
                    File.Delete(PathOf(name));
                }
                catch (Exception e) when (e is IOException or UnauthorizedAccessException)
                {
                    // The file belongs to another user, who can remove it.
                }
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
            catch (IOException) when (Path.Exists(PathOf(to)))
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
        return error == Exists
            ? false
            : throw new IOException($"{PathOf(to)} cannot be named: {Marshal.GetPInvokeErrorMessage(error)}.", error);
    }

    /// <summary>Returns the path of a name.</summary>
    protected string PathOf(string name) => Path.Combine(Directory, name);

    private bool IsWantedGone(string name, Func<SafeFileHandle, bool> isWantedGone)
    {
        using SafeFileHandle? file = TryOpen(name);
        return file is not null && isWantedGone(file);
    }

    /// <summary>
    /// Lists file names by a pattern, which matches more than the prefix: as on Windows, a pattern with a dot also matches the name without
    /// it.
    /// </summary>
    private IEnumerable<string> GetFileNames(string prefix) =>
        System.IO.Directory.Exists(Directory)
            ? System.IO.Directory.EnumerateFileSystemEntries(Directory, prefix + "*").Select(path => Path.GetFileName(path))
                .Where(name => name.StartsWith(prefix, StringComparison.Ordinal))
            : [];

    [LibraryImport("libc", EntryPoint = "link", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Link(string from, string to);
}
