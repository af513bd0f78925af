using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;
using Tarn.SharedMemory;

namespace Tarn.TestChild;

/// <summary>
/// Memory of names that exist in this process only, between inaccessible OS pages: an access outside ends the process. Either the end of
/// the memory touches one, or the end of the region's header, which itself lies in one then.
/// </summary>
internal sealed unsafe class GuardedNames(bool isEndGuarded) : NamedMemory("")
{
    /// <inheritdoc/>
    internal override NamedFile? TryCreate(
        string name, long size, UnixFileMode mode, bool preferHugePages, Func<SafeFileHandle, byte[]> describe)
    {
        nuint page = VirtualMemory.Current.OsPageSize;
        nuint used = ((nuint)(isEndGuarded ? size : size - RegionHeader.Length) + page - 1) / page * page;
        nint address = VirtualMemory.Current.Reserve(used + (2 * page), page);
        if (address == 0 || !VirtualMemory.Current.Commit(address + (nint)page, used))
        {
            throw new InvalidOperationException("There is no memory for the test.");
        }

        nint first = address + (nint)page;
        nint memory = isEndGuarded ? first + (nint)used - (nint)size : first - RegionHeader.Length;
        return new NamedFile(new Reserved(address, used + (2 * page), memory, (ulong)size), File: null);
    }

    /// <inheritdoc/>
    internal override SafeFileHandle? TryOpen(string name) => null;

    private sealed class Reserved : SafeBuffer
    {
        private readonly nint _reserved;
        private readonly nuint _reservedSize;

        internal Reserved(nint reserved, nuint reservedSize, nint address, ulong size)
            : base(ownsHandle: true)
        {
            (_reserved, _reservedSize) = (reserved, reservedSize);
            SetHandle(address);
            Initialize(size);
        }

        protected override bool ReleaseHandle()
        {
            VirtualMemory.Current.Release(_reserved, _reservedSize);
            return true;
        }
    }
}
