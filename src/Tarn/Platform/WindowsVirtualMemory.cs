using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>Windows: the system itself reserves, commits and decommits.</summary>
/// <remarks>There is no call that moves a reservation, and huge pages need a privilege that few accounts have.</remarks>
internal sealed unsafe partial class WindowsVirtualMemory : VirtualMemory
{
    /// <summary>MEM_COMMIT.</summary>
    private const uint MemoryCommit = 0x1000;

    /// <summary>MEM_RESERVE.</summary>
    private const uint MemoryReserve = 0x2000;

    /// <summary>MEM_DECOMMIT.</summary>
    private const uint MemoryDecommit = 0x4000;

    /// <summary>MEM_RELEASE.</summary>
    private const uint MemoryRelease = 0x8000;

    /// <summary>MEM_RESET.</summary>
    private const uint MemoryReset = 0x80000;

    /// <summary>PAGE_NOACCESS.</summary>
    private const uint NoAccess = 0x01;

    /// <summary>PAGE_READWRITE.</summary>
    private const uint ReadWrite = 0x04;

    /// <summary>The most attempts that another thread may thwart before the address space counts as full.</summary>
    private const int Attempts = 50;

    /// <summary>DiscardVirtualMemory, of Windows 8.1 and later; null where kernel32 does not export it.</summary>
    private readonly delegate* unmanaged<nint, nuint, uint> _discard;

    internal WindowsVirtualMemory()
        : this("DiscardVirtualMemory")
    {
    }

    /// <param name="discard">The export that discards. Tests name one that no system has.</param>
    internal WindowsVirtualMemory(string discard)
    {
        if (NativeLibrary.TryLoad("kernel32", typeof(VirtualMemory).Assembly, DllImportSearchPath.System32, out nint kernel)
            && NativeLibrary.TryGetExport(kernel, discard, out nint found))
        {
            _discard = (delegate* unmanaged<nint, nuint, uint>)found;
        }
    }

    internal override nuint OsPageSize { get; } = (nuint)Environment.SystemPageSize;

    /// <summary>
    /// VirtualAlloc with MEM_RESERVE, whose addresses are multiples of 64 KiB. If a larger alignment is needed and the address does not
    /// happen to fit, the method reserves a range that contains an aligned one, releases it, and reserves the aligned range at its address,
    /// because a reservation cannot be released in part. Another thread may take the address in between; then the method tries again.
    /// </summary>
    /// <remarks>VirtualAlloc2 takes an alignment, but older systems do not export it; this works on all of them.</remarks>
    internal override nint Reserve(nuint size, nuint alignment)
    {
        nint address = VirtualAlloc(0, size, MemoryReserve, NoAccess);
        if (address == 0 || IsAligned(address, alignment))
        {
            return address;
        }

        Release(address, size);

        // The sum does not wrap: the plain size fit the address space, so it is less than half of all numbers.
        nuint slack = alignment - OsPageSize;
        for (int attempt = 0; attempt < Attempts; attempt++)
        {
            nint found = VirtualAlloc(0, size + slack, MemoryReserve, NoAccess);
            if (found == 0)
            {
                return 0;
            }

            Release(found, size + slack);
            nint aligned = (nint)(((nuint)found + slack) & ~(alignment - 1));
            address = VirtualAlloc(aligned, size, MemoryReserve, NoAccess);
            if (address != 0)
            {
                return address;
            }
        }

        return 0;
    }

    /// <summary>
    /// VirtualAlloc with MEM_COMMIT: all or nothing. OS pages that are already committed stay as they are. The system refuses when it could
    /// not back the memory if it were touched.
    /// </summary>
    internal override bool Commit(nint address, nuint size) => VirtualAlloc(address, size, MemoryCommit, ReadWrite) != 0;

    /// <summary>
    /// VirtualFree with MEM_DECOMMIT: memory and access go. If the system refuses, the memory stays committed and is cleared.
    /// </summary>
    internal override void Decommit(nint address, nuint size)
    {
        if (!VirtualFree(address, size, MemoryDecommit))
        {
            NativeMemory.Clear((void*)address, size);
        }
    }

    /// <summary>
    /// DiscardVirtualMemory: the memory goes, while the commit charge and the access stay. Where there is no such call, MEM_RESET allows
    /// the system to take the memory when it needs some.
    /// </summary>
    internal override void Discard(nint address, nuint size)
    {
        if (_discard is not null)
        {
            _ = _discard(address, size);
        }
        else
        {
            _ = VirtualAlloc(address, size, MemoryReset, ReadWrite);
        }
    }

    /// <summary>VirtualFree with MEM_DECOMMIT. OS pages that are not committed are not an error.</summary>
    internal override bool Seal(nint address, nuint size) => VirtualFree(address, size, MemoryDecommit);

    /// <summary>VirtualFree with MEM_RELEASE, which takes the address of a reservation and 0, because the system knows the size.</summary>
    internal override void Release(nint address, nuint size) => VirtualFree(address, 0, MemoryRelease);

    private static bool IsAligned(nint address, nuint alignment) => ((nuint)address & (alignment - 1)) == 0;

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    private static partial nint VirtualAlloc(nint address, nuint size, uint type, uint protection);

    [LibraryImport("kernel32")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.System32)]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static partial bool VirtualFree(nint address, nuint size, uint type);
}
