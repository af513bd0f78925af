using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Tarn;

/// <summary>What a Unix system knows of an open file: whose it is, and which one, whatever it holds. Windows has none of it.</summary>
/// <param name="Owner">The user, by number.</param>
/// <param name="Device">Where the file lies.</param>
/// <param name="Index">Its number there, which no other file has while this one is open or has a name.</param>
internal readonly unsafe partial record struct FileStatus(uint Owner, ulong Device, ulong Index)
{
    /// <summary>The user who owns what belongs to the system.</summary>
    internal const uint Root = 0;

    /// <summary>STATX_UID and STATX_INO.</summary>
    private const uint OwnerAndIndex = 0x108;

    /// <summary>AT_EMPTY_PATH: the file itself, by its descriptor.</summary>
    private const int EmptyPath = 0x1000;

    /// <summary>More than either structure takes.</summary>
    private const int MostBytes = 512;

    /// <summary>The user whose permissions this process has; null on Windows.</summary>
    internal static uint? CurrentUser => OperatingSystem.IsWindows() ? null : GetEffectiveUser();

    /// <summary>Whether both are of one file.</summary>
    internal bool IsSameFile(FileStatus other) => (Device, Index) == (other.Device, other.Index);

    /// <summary>Null on Windows.</summary>
    /// <exception cref="IOException">The system refuses to say.</exception>
    internal static FileStatus? Of(SafeFileHandle file)
    {
        if (OperatingSystem.IsWindows())
        {
            return null;
        }

        byte* status = stackalloc byte[MostBytes];
        return OperatingSystem.IsLinux() ? OfLinux(file, status) : OfMac(file, status);
    }

    /// <summary>By the offsets of struct statx.</summary>
    private static FileStatus OfLinux(SafeFileHandle file, byte* status)
    {
        ThrowIfRefused(ReadLinux(file, "", EmptyPath, OwnerAndIndex, status));
        ulong device = ((ulong)*(uint*)(status + 136) << 32) | *(uint*)(status + 140);
        return new FileStatus(*(uint*)(status + 20), device, *(ulong*)(status + 32));
    }

    /// <summary>By the offsets of struct stat with 64-bit numbers of files, which Intel's entry without the suffix does not have.</summary>
    private static FileStatus OfMac(SafeFileHandle file, byte* status)
    {
        ThrowIfRefused(RuntimeInformation.ProcessArchitecture == Architecture.X64 ? ReadMacIntel(file, status) : ReadMac(file, status));
        return new FileStatus(*(uint*)(status + 16), *(uint*)status, *(ulong*)(status + 8));
    }

    private static void ThrowIfRefused(int result)
    {
        if (result != 0)
        {
            int error = Marshal.GetLastPInvokeError();
            throw new IOException($"The status of a file cannot be read: {Marshal.GetPInvokeErrorMessage(error)}.", error);
        }
    }

    [LibraryImport("libc", EntryPoint = "geteuid")]
    private static partial uint GetEffectiveUser();

    [LibraryImport("libc", EntryPoint = "statx", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int ReadLinux(SafeFileHandle directory, string path, int flags, uint mask, byte* status);

    [LibraryImport("libc", EntryPoint = "fstat", SetLastError = true)]
    private static partial int ReadMac(SafeFileHandle file, byte* status);

    [LibraryImport("libc", EntryPoint = "fstat$INODE64", SetLastError = true)]
    private static partial int ReadMacIntel(SafeFileHandle file, byte* status);
}
