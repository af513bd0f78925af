using System.Globalization;
using System.IO.MemoryMappedFiles;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Tarn;

/// <summary>
/// What the library asks of an operating system for memory that processes share by name: one contract, one file a system.
/// </summary>
/// <remarks>
/// <para>Everywhere it is a file, mapped shared by all who opened it; the systems differ in where it lies and in how it comes to its name.
/// Memory is made without a name and gets one in a single step when it is filled in, so nobody ever opens what is half made, and a
/// process that is killed meanwhile leaves no name behind.</para>
/// <para>Names are file names that were validated. All members are safe to call
/// from any thread and any process. Failures are exceptions that name the object; nothing is left behind then.</para>
/// </remarks>
/// <param name="directory">Where the names live.</param>
internal abstract partial class NamedMemory(string directory)
{
    /// <summary>In the names of what has no name yet; not a character of any other name.</summary>
    private const char Temporary = '~';

    private const string TemporaryPrefix = "tarn~";

    /// <summary>The prefix, the process, where its id is valid, and a number.</summary>
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
    /// <exception cref="PlatformNotSupportedException">The process is not a 64-bit one on Linux, macOS or Windows.</exception>
    internal static NamedMemory Current
    {
        get
        {
            SupportedProcess.Require64Bits(Part);
            return s_current ?? throw SupportedProcess.UnknownSystem(Part);
        }
    }

    /// <summary>Where the names live.</summary>
    internal string Directory { get; } = directory;

    /// <summary>
    /// Makes memory, zero but for its beginning, and gives it a name. The system stands for every byte of it: touching it never fails
    /// later.
    /// </summary>
    /// <param name="name">The name.</param>
    /// <param name="size">Bytes, positive.</param>
    /// <param name="mode">Who may open it, exactly, whatever the process's umask; where the system has such bits.</param>
    /// <param name="preferHugePages">A wish, without an answer.</param>
    /// <param name="beginning">What is to be at its beginning when others open it: no more than <paramref name="size"/>.</param>
    /// <returns>The memory, mapped as by <see cref="Map"/>; null, and nothing has changed, when the name is taken.</returns>
    /// <exception cref="IOException">There is not so much memory, or the system refuses for another reason.</exception>
    /// <exception cref="UnauthorizedAccessException">The process may not make files there.</exception>
    /// <exception cref="OutOfMemoryException">The process has not so much address space, or may have no more mappings.</exception>
    internal abstract SafeBuffer? TryCreate(string name, long size, UnixFileMode mode, bool preferHugePages, ReadOnlySpan<byte> beginning);

    /// <summary>Opens what has a name, to read and write; null when there is none. Never follows a link, never waits.</summary>
    /// <exception cref="UnauthorizedAccessException">The system denies the process access.</exception>
    /// <exception cref="IOException">It is not a file, or the system refuses for another reason.</exception>
    internal abstract SafeFileHandle? TryOpen(string name);

    /// <summary>Maps a file's first bytes, which it must have, to read and write.</summary>
    /// <returns>
    /// Its handle is the address; unmaps when disposed, or some time after it was forgotten. The file may be closed before.
    /// </returns>
    /// <exception cref="OutOfMemoryException">The process has not so much address space, or may have no more mappings.</exception>
    internal static SafeBuffer Map(SafeFileHandle file, long size)
    {
        try
        {
            using MemoryMappedFile mapped = MemoryMappedFile.CreateFromFile(
                file, mapName: null, size, MemoryMappedFileAccess.ReadWrite, HandleInheritability.None, leaveOpen: true);

            // The handle is all there is to a view; disposing the view itself would write the memory to its file first.
            return mapped.CreateViewAccessor(0, size).SafeMemoryMappedViewHandle;
        }
        catch (Exception e) when (e is IOException or ArgumentException)
        {
#pragma warning disable CA2201 // this is what the runtime throws when there is no memory, and what callers look for
            throw new OutOfMemoryException($"The process has no address space for {size} bytes of shared memory.", e);
#pragma warning restore CA2201
        }
    }

    /// <summary>Bytes of what has a name, which need not be readable; null when there is none.</summary>
    internal long? SizeOf(string name) => new FileInfo(PathOf(name)) is { Exists: true } file ? file.Length : null;

    /// <summary>The names that begin so, in no order; others come and go meanwhile.</summary>
    internal IEnumerable<string> GetNames(string prefix) =>
        GetFileNames(prefix).Where(name => !name.Contains(Temporary, StringComparison.Ordinal));

    /// <summary>
    /// Removes a name if what it names is wanted gone; the memory lives on for those who have it mapped. What another process puts in its
    /// place meanwhile stays.
    /// </summary>
    /// <param name="name">The name.</param>
    /// <param name="isWantedGone">Looks at the file, twice; what it throws, this throws.</param>
    /// <returns>Whether it was removed; false when there is no such name, or it is not wanted gone.</returns>
    /// <exception cref="UnauthorizedAccessException">The system denies the process access.</exception>
    /// <exception cref="IOException">The system refuses for another reason.</exception>
    /// <remarks>
    /// No system removes a name on condition. So it is moved to a temporary one first, which nobody else touches, and looked at again: it
    /// goes back if between the look and the move the name was removed and given to something else.
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
            // Without leave to overwrite, the base library copies on Unix where it may not move, and leaves the copy.
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

    /// <summary>Removes what processes left under temporary names that ended meanwhile, as far as this one may.</summary>
    /// <remarks>
    /// What a process in another namespace of ids is making looks like a dead process's here, where a container shares the directory: it
    /// stays.
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
                    // It is another user's, and theirs to remove.
                }
            }
        }
    }

    /// <summary>A name for what has none yet, or none any more: no other thread or process has it.</summary>
    protected static string CreateTemporaryName()
    {
        string process = string.Create(
            CultureInfo.InvariantCulture, $"{TemporaryPrefix}{ProcessIdentity.Self.Value:x}{Temporary}{ProcessIdentity.Namespace:x}");
        return string.Create(CultureInfo.InvariantCulture, $"{process}{Temporary}{Interlocked.Increment(ref s_names)}");
    }

    /// <summary>Gives a file another name if that is free, in one step; false, and nothing has changed, when it is taken.</summary>
    /// <exception cref="IOException">The system refuses for another reason.</exception>
    /// <remarks>
    /// On Unix the base library looks first and moves then, over what came in between; a second link is never made over anything.
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

    /// <summary>Where a name lies.</summary>
    protected string PathOf(string name) => Path.Combine(Directory, name);

    private bool IsWantedGone(string name, Func<SafeFileHandle, bool> isWantedGone)
    {
        using SafeFileHandle? file = TryOpen(name);
        return file is not null && isWantedGone(file);
    }

    /// <summary>The pattern finds more than what begins so: as on Windows, one with a dot finds the name without it, too.</summary>
    private IEnumerable<string> GetFileNames(string prefix) =>
        System.IO.Directory.Exists(Directory)
            ? System.IO.Directory.EnumerateFileSystemEntries(Directory, prefix + "*").Select(path => Path.GetFileName(path))
                .Where(name => name.StartsWith(prefix, StringComparison.Ordinal))
            : [];

    [LibraryImport("libc", EntryPoint = "link", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Link(string from, string to);
}
