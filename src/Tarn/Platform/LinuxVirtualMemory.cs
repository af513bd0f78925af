using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>Linux: mappings as POSIX has them, and what only Linux has: taking memory back in place, moving mappings, huge pages.</summary>
internal sealed partial class LinuxVirtualMemory() : PosixVirtualMemory(Private | Anonymous | NoReserve, TryAgain, DontNeed)
{
    /// <summary>MAP_PRIVATE.</summary>
    private const int Private = 0x2;

    /// <summary>MAP_ANONYMOUS.</summary>
    private const int Anonymous = 0x20;

    /// <summary>MAP_NORESERVE: without it the kernel counts all that is committed, touched or not, against what the machine has.</summary>
    private const int NoReserve = 0x4000;

    /// <summary>MAP_FIXED_NOREPLACE: at that address if nothing is there. Kernels before 4.17 take it for a proposal.</summary>
    private const int OnlyWhereFree = 0x100000;

    /// <summary>EAGAIN.</summary>
    private const int TryAgain = 11;

    /// <summary>MADV_DONTNEED: takes the memory back at once; later reads find zeros.</summary>
    private const int DontNeed = 4;

    /// <summary>MADV_HUGEPAGE.</summary>
    private const int HugePage = 14;

    /// <summary>MREMAP_MAYMOVE and MREMAP_FIXED: to that address, instead of what is there.</summary>
    private const int MoveToThatAddress = 1 | 2;

    /// <summary>mremap: the kernel moves the entries of its tables, whatever lies in memory stays there.</summary>
    /// <remarks>
    /// <para>The mapping grows in the same call. Would what is added be committed beside it, the two never became one mapping, as what was
    /// moved keeps its old place in the kernel's books; and kernels before 6.17 move no source that is more than one.</para>
    /// <para>A kernel may clear the target away before it looks whether it can do the move. What it refuses after that (a source that is
    /// more than one mapping, for instance because huge pages were asked for in a part of it) leaves a
    /// hole, which is reserved again here, unless another thread of the process was faster.</para>
    /// </remarks>
    internal override bool TryMove(nint source, nuint size, nint target, nuint newSize)
    {
        if (Remap(source, size, newSize, MoveToThatAddress, target) == target)
        {
            return true;
        }

        ReserveAgain(target, newSize);
        return false;
    }

    /// <summary>madvise; refused by kernels that are built without huge pages.</summary>
    internal override void PreferHugePages(nint address, nuint size) => TryAdvise(address, size, HugePage);

    /// <summary>Reserves a range of ours that the kernel may have unmapped; what is mapped there stays.</summary>
    internal void ReserveAgain(nint address, nuint size)
    {
        nint mapped = MapReserved(address, size, OnlyWhereFree);
        if (mapped != Failed && mapped != address)
        {
            TryUnmap(mapped, size);
        }
    }

    /// <summary>
    /// madvise, and the range stays accessible. Taking the access away as well would split the mapping, and a heap whose slabs come and
    /// go would soon have as many mappings as a process may have (vm.max_map_count, 65,530); then every call is refused, the runtime's
    /// own as well. <see cref="VirtualMemory.Seal"/> is for where a fault is worth a mapping.
    /// </summary>
    protected override bool TryTakeBack(nint address, nuint size) => TryAdvise(address, size, DontNeed);

    /// <summary>C declares the last parameter as a variable one; on 64-bit Linux both are passed alike.</summary>
    [LibraryImport("libc", EntryPoint = "mremap", SetLastError = true)]
    private static partial nint Remap(nint source, nuint size, nuint newSize, int flags, nint target);
}
