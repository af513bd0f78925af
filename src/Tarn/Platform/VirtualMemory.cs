namespace Tarn;

/// <summary>What the library asks of an operating system for memory: one contract, one file a system.</summary>
/// <remarks>
/// <para>Address space is in one of four states: not ours; reserved (ours, any access faults, no memory behind it); committed (readable
/// and writable, zero where nothing was written yet); decommitted (ours, no memory behind it, not to be touched until it is committed
/// again). What ours is came from <see cref="Reserve"/> and goes with <see cref="Release"/>.</para>
/// <para>All addresses and sizes are multiples of <see cref="OsPageSize"/>, no size is 0, and a range lies within one reservation; the
/// implementations do not look. What the system refuses is reported by the result and loses nothing; nothing throws. All members
/// are safe to call from any thread, as long as no two calls at a time are about the same OS page.</para>
/// <para>Tests bring their own implementation to see what happens when the system refuses.</para>
/// </remarks>
internal abstract class VirtualMemory
{
    private const string Part = "Native heaps";

    private static readonly VirtualMemory? s_current = Create();

    /// <summary>The system this process runs on.</summary>
    /// <exception cref="PlatformNotSupportedException">The process is not a 64-bit one on Linux, macOS or Windows.</exception>
    internal static VirtualMemory Current
    {
        get
        {
            SupportedProcess.Require64Bits(Part);
            return s_current ?? throw SupportedProcess.UnknownSystem(Part);
        }
    }

    /// <summary>The unit of commitment, in bytes; a power of two.</summary>
    internal abstract nuint OsPageSize { get; }

    /// <summary>Takes <paramref name="size"/> bytes of address space, no memory; 0 when there is none to be had.</summary>
    /// <param name="size">Bytes, a multiple of the OS page size, not 0.</param>
    /// <param name="alignment">
    /// What the address is a multiple of: a power of two, at least the OS page size. For a moment up to this much more may be reserved,
    /// so under a limit a smaller alignment may succeed where a large one does not.
    /// </param>
    /// <returns>The address, or 0.</returns>
    internal abstract nint Reserve(nuint size, nuint alignment);

    /// <summary>
    /// Makes a range committed. What was reserved or decommitted is zero; what was committed already keeps its contents. False when the
    /// system refuses: what was committed is unharmed, the rest is to be treated as before, and committing it again may succeed later.
    /// </summary>
    internal abstract bool Commit(nint address, nuint size);

    /// <summary>
    /// Gives the memory behind a range back that is committed throughout, and keeps the address space. The contents are lost: the next
    /// <see cref="Commit"/> finds zeros. Until then an access may fault, and may not: a read then finds zeros, but a write may stay. Never
    /// fails: what the system cannot take back it keeps, zeroed.
    /// </summary>
    internal abstract void Decommit(nint address, nuint size);

    /// <summary>
    /// Gives the memory behind a range back that is committed throughout, and leaves it committed: it may be used again without asking,
    /// and the system still stands for it. Until it is written, a read finds zeros or what was there. Never fails: what the system
    /// cannot take back it keeps as it is.
    /// </summary>
    internal abstract void Discard(nint address, nuint size);

    /// <summary>
    /// Makes a range reserved again, whatever it was: memory and contents go, and every access faults until the range is committed.
    /// False when the system refuses: nothing has changed. Each sealed range amid others may cost mappings, of which a process has a
    /// limited number, so this is for checks; <see cref="Decommit"/> is for giving memory back.
    /// </summary>
    internal abstract bool Seal(nint address, nuint size);

    /// <summary>
    /// Gives a whole reservation back, with the address and size of its <see cref="Reserve"/>, whatever state its parts are in.
    /// </summary>
    internal abstract void Release(nint address, nuint size);

    /// <summary>
    /// Moves a whole committed reservation, with its contents, into another reservation by remapping instead of copying, and lets it grow
    /// on the way. Afterwards the source is not ours any more, so it must not be released, and the target is committed, zero behind the
    /// contents. False where the system cannot: nothing has changed then.
    /// </summary>
    /// <param name="source">
    /// A whole reservation, all of it committed. One whose parts differ may be refused, such as when huge pages were asked for in a part.
    /// </param>
    /// <param name="size">Its size.</param>
    /// <param name="target">
    /// Where in another reservation it is to go: a range of <paramref name="newSize"/> bytes, none of it committed.
    /// </param>
    /// <param name="newSize">The size of the target, no less than <paramref name="size"/>.</param>
    /// <returns>Whether it was done.</returns>
    internal virtual bool TryMove(nint source, nuint size, nint target, nuint newSize) => false;

    /// <summary>Asks for huge pages in a range of any state; a wish, without an answer, and forgotten when the range is sealed.</summary>
    internal virtual void PreferHugePages(nint address, nuint size)
    {
    }

    private static VirtualMemory? Create() =>
        OperatingSystem.IsLinux() ? new LinuxVirtualMemory()
        : OperatingSystem.IsMacOS() ? new MacVirtualMemory()
        : OperatingSystem.IsWindows() ? new WindowsVirtualMemory()
        : null;
}
