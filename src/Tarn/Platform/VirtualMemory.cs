namespace Tarn;

/// <summary>What the library requires of an operating system to manage memory: one contract, with one file for each system.</summary>
/// <remarks>
/// <para>Address space is in one of four states: not ours; reserved (ours, any access faults, no memory behind it); committed (readable
/// and writable, zero where nothing was written yet); decommitted (ours, no memory behind it, must not be touched until it is committed
/// again). <see cref="Reserve"/> makes address space ours, and <see cref="Release"/> gives it up.</para>
/// <para>All addresses and sizes are multiples of <see cref="OsPageSize"/>, no size is 0, and a range lies within one reservation; the
/// implementations do not verify this. The result reports a refusal by the system, which loses nothing; no member throws. All members are
/// safe to call from any thread, as long as no two concurrent calls concern the same OS page.</para>
/// <para>Tests provide their own implementations, to verify what happens when the system refuses.</para>
/// </remarks>
internal abstract class VirtualMemory
{
    private const string Part = "Native heaps";

    private static readonly VirtualMemory? s_current = Create();

    /// <summary>The system this process runs on.</summary>
    /// <exception cref="PlatformNotSupportedException">The process is not a 64-bit process on Linux, macOS or Windows.</exception>
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

    /// <summary>Reserves <paramref name="size"/> bytes of address space without memory; 0 when the system refuses.</summary>
    /// <param name="size">Bytes, a multiple of the OS page size, not 0.</param>
    /// <param name="alignment">
    /// The alignment of the address: a power of two, at least the OS page size. The call may briefly reserve up to this much more, so under
    /// a limit a smaller alignment may succeed where a large one fails.
    /// </param>
    /// <returns>The address, or 0.</returns>
    internal abstract nint Reserve(nuint size, nuint alignment);

    /// <summary>
    /// Commits a range. Reserved and decommitted parts become zero; committed parts keep their contents. False when the system refuses:
    /// committed parts are then unharmed, the rest counts as before, and a later attempt may succeed.
    /// </summary>
    internal abstract bool Commit(nint address, nuint size);

    /// <summary>
    /// Returns the memory of a wholly committed range and keeps the address space. The contents are lost: after the next
    /// <see cref="Commit"/>, the range is zero. Until then an access may or may not fault: a read that does not fault finds zeros, and a
    /// write that does not fault may persist. Never fails: memory that the system cannot take back stays, zeroed.
    /// </summary>
    internal abstract void Decommit(nint address, nuint size);

    /// <summary>
    /// Returns the memory of a wholly committed range and leaves it committed: it may be used again at any time, and the system still
    /// guarantees it. Until it is written, a read finds zeros or the old contents. Never fails: memory that the system cannot take back
    /// stays as it is.
    /// </summary>
    internal abstract void Discard(nint address, nuint size);

    /// <summary>
    /// Makes a range reserved again, whatever its state: memory and contents go, and every access faults until the range is committed.
    /// False when the system refuses; nothing has changed then. A sealed range between others may cost mappings, of which a process has a
    /// limited number, so this is for checks. Use <see cref="Decommit"/> to return memory.
    /// </summary>
    internal abstract bool Seal(nint address, nuint size);

    /// <summary>
    /// Releases a whole reservation, with the address and size of its <see cref="Reserve"/>, whatever the state of its parts.
    /// </summary>
    internal abstract void Release(nint address, nuint size);

    /// <summary>
    /// Moves a whole committed reservation, with its contents, into another reservation by remapping instead of copying, and can grow it at
    /// the same time. Afterwards the source is not ours any more and must not be released, and the target is committed, with zeros after
    /// the contents. False where the system cannot; nothing has changed then.
    /// </summary>
    /// <param name="source">
    /// A whole reservation, all of it committed. The system may refuse one whose parts differ, for example because huge pages were
    /// requested for a part.
    /// </param>
    /// <param name="size">Its size.</param>
    /// <param name="target">The target in another reservation: a range of <paramref name="newSize"/> bytes, none of it committed.</param>
    /// <param name="newSize">The size of the target, no less than <paramref name="size"/>.</param>
    /// <returns>Whether the reservation was moved.</returns>
    internal virtual bool TryMove(nint source, nuint size, nint target, nuint newSize) => false;

    /// <summary>
    /// Requests huge pages for a range in any state. The system may ignore the request, and forgets it when the range is sealed.
    /// </summary>
    internal virtual void PreferHugePages(nint address, nuint size)
    {
    }

    private static VirtualMemory? Create() =>
        OperatingSystem.IsLinux() ? new LinuxVirtualMemory()
        : OperatingSystem.IsMacOS() ? new MacVirtualMemory()
        : OperatingSystem.IsWindows() ? new WindowsVirtualMemory()
        : null;
}
