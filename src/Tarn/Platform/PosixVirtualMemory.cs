using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>The common part of Linux and macOS: private anonymous mappings, reserved by denying every access.</summary>
/// <param name="reserveFlags">
/// The system's numbers for MAP_PRIVATE, MAP_ANONYMOUS and the flag, if any, that keeps a reservation from being charged.
/// </param>
/// <param name="tryAgain">The system's number for EAGAIN.</param>
/// <param name="discardAdvice">The system's number for the madvise that discards memory and leaves the range accessible.</param>
/// <remarks>
/// <para>The kernel merges neighbouring mappings with equal attributes, so a reservation need not be a mapping of its own. A call on a part
/// may split a mapping, and fails with ENOMEM when the process has reached its limit of mappings (Linux: vm.max_map_count).</para>
/// <para>After EINTR a call is repeated until it succeeds or fails otherwise. After EAGAIN it is repeated only a few times, because the
/// error persists when the process locks all its memory and has reached its limit.</para>
/// </remarks>
internal abstract partial class PosixVirtualMemory(int reserveFlags, int tryAgain, int discardAdvice) : VirtualMemory
{
    /// <summary>MAP_FIXED: at exactly that address, replacing what is there.</summary>
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
    /// mmap without access, which takes only address space. No system call takes an alignment. So the method first tries the plain size,
    /// whose address often happens to be aligned. Otherwise it reserves enough to contain an aligned range, and releases the rest.
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

    /// <summary>mprotect. Contents stay, and a partly committed range needs no special case.</summary>
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

    /// <summary>If the system refuses, for example because the memory is locked (mlockall), the memory stays and is cleared.</summary>
    internal override unsafe void Decommit(nint address, nuint size)
    {
        if (!TryTakeBack(address, size))
        {
            NativeMemory.Clear((void*)address, size);
        }
    }

    /// <summary>madvise. If the system refuses, for example for locked memory, nothing changes.</summary>
    internal override void Discard(nint address, nuint size) => TryAdvise(address, size, discardAdvice);

    /// <summary>
    /// mmap over our own range: in one step, the kernel drops the old mapping with its memory and puts a fresh reservation in its place, so
    /// no other thread's mapping can get in between. A request for huge pages is lost with the old mapping.
    /// </summary>
    internal override bool Seal(nint address, nuint size) => MapReserved(address, size, AtThatAddress) != Failed;

    /// <summary>
    /// munmap. The kernel refuses it when the range is in the middle of a mapping and splitting it would exceed the limit of mappings. Then
    /// the address space is lost, but the memory is not.
    /// </summary>
    internal override void Release(nint address, nuint size)
    {
        if (!TryUnmap(address, size))
        {
            TryTakeBack(address, size);
        }
    }

    /// <summary>Lets the kernel take the memory of any range of ours; false when it refuses.</summary>
    protected abstract bool TryTakeBack(nint address, nuint size);

    /// <summary>Maps a reservation; <see cref="Failed"/> when the system refuses. Without flags the address is only a hint.</summary>
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

    /// <summary>Whether repeating the call that just failed may succeed.</summary>
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
        // The sum does not wrap: the plain size fit the address space, so it is less than half of all numbers.
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

        // Unmapping an unmapped range is not an error.
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
