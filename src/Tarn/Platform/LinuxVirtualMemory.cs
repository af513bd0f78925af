using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>
/// Linux: POSIX mappings, and four features that only Linux has: taking memory back in place, moving mappings, huge pages, and names for
/// mappings.
/// </summary>
internal sealed partial class LinuxVirtualMemory() : PosixVirtualMemory(Private | Anonymous | NoReserve, TryAgain, DontNeed)
{
    /// <summary>MAP_PRIVATE.</summary>
    private const int Private = 0x2;

    /// <summary>MAP_ANONYMOUS.</summary>
    private const int Anonymous = 0x20;

    /// <summary>MAP_NORESERVE: without it, the kernel counts all committed memory, touched or not, against the machine's memory.</summary>
    private const int NoReserve = 0x4000;

    /// <summary>MAP_FIXED_NOREPLACE: at that address if nothing is there. Kernels before 4.17 treat the address as a hint.</summary>
    private const int OnlyWhereFree = 0x100000;

    /// <summary>EAGAIN.</summary>
    private const int TryAgain = 11;

    /// <summary>MADV_DONTNEED: takes the memory back at once; later reads find zeros.</summary>
    private const int DontNeed = 4;

    /// <summary>MADV_HUGEPAGE.</summary>
    private const int HugePage = 14;

    /// <summary>MREMAP_MAYMOVE and MREMAP_FIXED: to that address, replacing what is there.</summary>
    private const int MoveToThatAddress = 1 | 2;

    /// <summary>PR_SET_VMA.</summary>
    private const int SetMapping = 0x53564D41;

    /// <summary>PR_SET_VMA_ANON_NAME.</summary>
    private const nuint SetName = 0;

    private volatile bool _hasNames = true;

    /// <summary>What tools show for memory of ours: <c>[anon:Tarn]</c> in /proc/PID/maps. The zero behind a literal ends it.</summary>
    internal static ReadOnlySpan<byte> Name => "Tarn"u8;

    /// <summary>
    /// The reservation also gets a name, which all its parts keep, and which moves with it. Kernels before 5.17, and those built without
    /// names, refuse it once and are not asked again.
    /// </summary>
    internal override unsafe nint Reserve(nuint size, nuint alignment)
    {
        nint address = base.Reserve(size, alignment);
        if (address != 0 && _hasNames)
        {
            fixed (byte* name = Name)
            {
                _hasNames = Control(SetMapping, SetName, (nuint)address, size, name) == 0;
            }
        }

        return address;
    }

    /// <summary>mremap: the kernel moves its page table entries and copies no memory.</summary>
    /// <remarks>
    /// <para>The same call also grows the mapping. If the added part were committed separately, the two would never become one mapping,
    /// because the moved part keeps its old offset in the kernel's records; and kernels before 6.17 cannot move a source of several
    /// mappings.</para>
    /// <para>A kernel may unmap the target before it verifies that it can do the move. If it then refuses (for example because huge pages
    /// were requested for a part of the source, which is therefore several mappings), it leaves a hole. This method reserves the hole
    /// again, unless another thread of the process was faster.</para>
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

    /// <summary>madvise. Kernels built without huge pages refuse it.</summary>
    internal override void PreferHugePages(nint address, nuint size) => TryAdvise(address, size, HugePage);

    /// <summary>Reserves a range of ours again that the kernel may have unmapped. An existing mapping stays.</summary>
    internal void ReserveAgain(nint address, nuint size)
    {
        nint mapped = MapReserved(address, size, OnlyWhereFree);
        if (mapped != Failed && mapped != address)
        {
            TryUnmap(mapped, size);
        }
    }

    /// <summary>
    /// madvise; the range stays accessible. Removing the access would split the mapping, and a heap whose slabs come and go would soon
    /// reach the limit of mappings of a process (vm.max_map_count, 65,530). Then the system refuses every call, the runtime's own included.
    /// Use <see cref="VirtualMemory.Seal"/> where a fault is worth a mapping.
    /// </summary>
    protected override bool TryTakeBack(nint address, nuint size) => TryAdvise(address, size, DontNeed);

    /// <summary>C declares the last parameter as variadic; 64-bit Linux passes both kinds alike.</summary>
    [LibraryImport("libc", EntryPoint = "mremap", SetLastError = true)]
    private static partial nint Remap(nint source, nuint size, nuint newSize, int flags, nint target);

    /// <summary>C declares all but the first parameter as variadic; 64-bit Linux passes both kinds alike.</summary>
    [LibraryImport("libc", EntryPoint = "prctl")]
    private static unsafe partial int Control(int option, nuint what, nuint address, nuint size, byte* name);
}
