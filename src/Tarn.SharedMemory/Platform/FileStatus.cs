using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Tarn.SharedMemory;

/// <summary>What the system knows about an open file: its owner and identity, whatever its contents.</summary>
/// <param name="Owner">The user, by number; null on Windows, whose users have none.</param>
/// <param name="Device">The device that contains the file.</param>
/// <param name="Index">The file's number on the device, which is unique while the file is open or has a name.</param>
internal readonly unsafe partial record struct FileStatus(uint? Owner, ulong Device, ulong Index)
{
    /// <summary>The user that owns the system's files.</summary>
    internal const uint Root = 0;

    /// <summary>STATX_UID and STATX_INO.</summary>
    private const uint OwnerAndIndex = 0x108;

    /// <summary>AT_EMPTY_PATH: the file itself, by its descriptor.</summary>
    private const int EmptyPath = 0x1000;

    /// <summary>More bytes than either structure takes.</summary>
    private const int MostBytes = 512;

    /// <summary>SYS_statx.</summary>
    private static readonly nint s_statx = RuntimeInformation.ProcessArchitecture switch
    {
        Architecture.X64 => 332,
        Architecture.S390x => 379,
        Architecture.Ppc64le => 383,
        _ => 291,
    };

    /// <summary>The user whose permissions this process has; null on Windows.</summary>
    internal static uint? CurrentUser => OperatingSystem.IsWindows() ? null : GetEffectiveUser();

    /// <summary>Whether both describe the same file.</summary>
    internal bool IsSameFile(FileStatus other) => (Device, Index) == (other.Device, other.Index);

    /// <summary>Reads the status of a file.</summary>
    /// <exception cref="IOException">The system refuses the call.</exception>
    internal static FileStatus Of(SafeFileHandle file)
    {
        byte* status = stackalloc byte[MostBytes];
        return OperatingSystem.IsLinux() ? OfLinux(file, status)
            : OperatingSystem.IsWindows() ? OfWindows(file, status)
            : OfMac(file, status);
    }

    /// <summary>Reads the offsets of struct statx.</summary>
    private static FileStatus OfLinux(SafeFileHandle file, byte* status)
    {
        ThrowIfRefused((int)ReadLinux(s_statx, file, "", EmptyPath, OwnerAndIndex, status));
        ulong device = ((ulong)*(uint*)(status + 136) << 32) | *(uint*)(status + 140);
        return new FileStatus(*(uint*)(status + 20), device, *(ulong*)(status + 32));
    }

    /// <summary>Reads the offsets of struct stat with 64-bit file numbers, which Intel's entry point without the suffix lacks.</summary>
    private static FileStatus OfMac(SafeFileHandle file, byte* status)
    {
        ThrowIfRefused(RuntimeInformation.ProcessArchitecture == Architecture.X64 ? ReadMacIntel(file, status) : ReadMac(file, status));
        return new FileStatus(*(uint*)(status + 16), *(uint*)status, *(ulong*)(status + 8));
    }

    /// <summary>Reads the offsets of BY_HANDLE_FILE_INFORMATION.</summary>
    private static FileStatus OfWindows(SafeFileHandle file, byte* status)
    {
        ThrowIfRefused(ReadWindows(file, status) != 0 ? 0 : -1);
        return new FileStatus(Owner: null, *(uint*)(status + 28), ((ulong)*(uint*)(status + 44) << 32) | *(uint*)(status + 48));
    }

    private static void ThrowIfRefused(int result)
    {
        if (result != 0)
        {
            int error = Marshal.GetLastPInvokeError();
            throw new IOException($"Cannot read the status of a file: {Marshal.GetPInvokeErrorMessage(error)}.", error);
        }
    }

    [LibraryImport("libc", EntryPoint = "geteuid")]
    private static partial uint GetEffectiveUser();

    /// <summary>The C library has a function for it since glibc 2.28, and .NET runs on 2.27.</summary>
    [LibraryImport("libc", EntryPoint = "syscall", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial nint ReadLinux(nint number, SafeFileHandle directory, string path, int flags, uint mask, byte* status);

    [LibraryImport("kernel32", EntryPoint = "GetFileInformationByHandle", SetLastError = true)]
    private static partial int ReadWindows(SafeFileHandle file, byte* status);

    [LibraryImport("libc", EntryPoint = "fstat", SetLastError = true)]
    private static partial int ReadMac(SafeFileHandle file, byte* status);

    [LibraryImport("libc", EntryPoint = "fstat$INODE64", SetLastError = true)]
    private static partial int ReadMacIntel(SafeFileHandle file, byte* status);
}
