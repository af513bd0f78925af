using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>What Linux and macOS do alike: private anonymous mappings, reserved by protecting them from every access.</summary>
/// <param name="reserveFlags">The system's numbers for MAP_PRIVATE, MAP_ANONYMOUS and whatever keeps a reservation free of charge.</param>
/// <param name="tryAgain">The system's number for EAGAIN.</param>
/// <param name="discardAdvice">The system's number for the madvise that lets memory go and leaves the range accessible.</param>
/// <remarks>
/// <para>The kernel joins neighbouring mappings that look alike, so a reservation need not be a mapping of its own: any call on a part
/// may split one, and is refused with ENOMEM when the process has as many mappings as it may have (Linux: vm.max_map_count).</para>
/// <para>EINTR is repeated until it goes. EAGAIN is repeated a few times only: it also comes, and stays, where the process locks all its
/// memory and has reached its limit.</para>
/// </remarks>
internal abstract partial class PosixVirtualMemory(int reserveFlags, int tryAgain, int discardAdvice) : VirtualMemory
{
    /// <summary>MAP_FIXED: at that address and nowhere else, instead of what is there.</summary>
    private const int AtThatAddress = 0x10;

    /// <summary>EINTR.</summary>
    private const int Interrupted = 4;

    private const int Attempts = 10;

    /// <summary>MAP_FAILED.</summary>
    protected const nint Failed = -1;

    [Flags]
    private enum Access
    {
        None = 0,
        Read = 1,
        Write = 2,
    }

    internal override nuint OsPageSize { get; } = (nuint)Environment.SystemPageSize;

    /// <summary>
    /// mmap without access: address space and nothing else. No system call takes an alignment, so the plain size is tried first, as its
    /// address often happens to fit; else so much is reserved that an aligned range lies in it, and what is around that is given back.
    /// </summary>
    internal override nint Reserve(nuint size, nuint alignment)
    {
        nint address = MapReserved(0, size, 0);
        if (address == Failed)
        {
            return 0;
        }

        if (IsAligned(address, alignment))
        {
            return address;
        }

        Release(address, size);
        return ReserveAndTrim(size, alignment);
    }

    /// <summary>mprotect: contents stay, and a range that is committed in part is no special case.</summary>
    internal override bool Commit(nint address, nuint size)
    {
        int attempt = 0;
        while (Protect(address, size, Access.Read | Access.Write) != 0)
        {
            if (!IsWorthRepeating(ref attempt))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Refused for memory that is locked (mlockall), for instance: that stays where it is, so it is cleared.</summary>
    internal override unsafe void Decommit(nint address, nuint size)
    {
        if (!TryTakeBack(address, size))
        {
            NativeMemory.Clear((void*)address, size);
        }
    }

    /// <summary>madvise; refused, for locked memory for instance, all stays as it is.</summary>
    internal override void Discard(nint address, nuint size) => TryAdvise(address, size, discardAdvice);

    /// <summary>
    /// mmap over our own range: the kernel drops what was mapped there, memory and all, and a fresh reservation takes its place in one
    /// step, so no other thread's mapping can get in between. A wish for huge pages goes with the old mapping.
    /// </summary>
    internal override bool Seal(nint address, nuint size) => MapReserved(address, size, AtThatAddress) != Failed;

    /// <summary>
    /// munmap. The kernel refuses it when the range lies amid a mapping and one more would be too many; the address space is then lost,
    /// but the memory is not.
    /// </summary>
    internal override void Release(nint address, nuint size)
    {
        if (!TryUnmap(address, size))
        {
            TryTakeBack(address, size);
        }
    }

    /// <summary>Lets the kernel take the memory behind any range of ours; false when it refuses.</summary>
    protected abstract bool TryTakeBack(nint address, nuint size);

    /// <summary>
    /// Maps a reservation; <see cref="Failed"/> when the system refuses. Without flags the address is no more than a proposal.
    /// </summary>
    protected nint MapReserved(nint address, nuint size, int flags)
    {
        int attempt = 0;
        while (true)
        {
            nint mapped = Map(address, size, Access.None, reserveFlags | flags, -1, 0);
            if (mapped != Failed || !IsWorthRepeating(ref attempt))
            {
                return mapped;
            }
        }
    }

    /// <summary>Unmaps any range; false when the system refuses.</summary>
    protected bool TryUnmap(nint address, nuint size)
    {
        int attempt = 0;
        while (Unmap(address, size) != 0)
        {
            if (!IsWorthRepeating(ref attempt))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>madvise; false when the system refuses.</summary>
    protected bool TryAdvise(nint address, nuint size, int advice)
    {
        int attempt = 0;
        while (Advise(address, size, advice) != 0)
        {
            if (!IsWorthRepeating(ref attempt))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Whether the call that failed just now may do better when it is made again.</summary>
    protected bool IsWorthRepeating(ref int attempt)
    {
        int error = Marshal.GetLastPInvokeError();
        if (error == Interrupted)
        {
            return true;
        }

        if (error != tryAgain || ++attempt == Attempts)
        {
            return false;
        }

        Thread.Yield();
        return true;
    }

    private static bool IsAligned(nint address, nuint alignment) => ((nuint)address & (alignment - 1)) == 0;

    private nint ReserveAndTrim(nuint size, nuint alignment)
    {
        // The sum does not wrap: there was room for the plain size, and that is less than half of all numbers.
        nuint slack = alignment - OsPageSize;
        nint mapped = MapReserved(0, size + slack, 0);
        if (mapped == Failed)
        {
            return 0;
        }

        nuint before = (nuint)(-mapped) & (alignment - 1);
        nuint after = slack - before;
        nint address = mapped + (nint)before;
        bool trimmed = (before == 0 || TryUnmap(mapped, before)) && (after == 0 || TryUnmap(address + (nint)size, after));
        if (trimmed)
        {
            return address;
        }

        // Unmapping what is unmapped already is no error.
        TryUnmap(mapped, size + slack);
        return 0;
    }

    [LibraryImport("libc", EntryPoint = "mmap", SetLastError = true)]
    private static partial nint Map(nint address, nuint size, Access access, int flags, int file, nint offset);

    [LibraryImport("libc", EntryPoint = "munmap", SetLastError = true)]
    private static partial int Unmap(nint address, nuint size);

    [LibraryImport("libc", EntryPoint = "madvise", SetLastError = true)]
    private static partial int Advise(nint address, nuint size, int advice);

    [LibraryImport("libc", EntryPoint = "mprotect", SetLastError = true)]
    private static partial int Protect(nint address, nuint size, Access access);
}
