namespace Tarn;

/// <summary>What the library asks of an operating system for memory: one contract, one file a system.</summary>
/// <remarks>
/// <para>Address space goes through four states: nothing, reserved (ours, but any access faults), committed (readable and writable, zero
/// where nothing was written yet), and nothing again. All addresses and sizes are multiples of <see cref="OsPageSize"/>. A call that the
/// system refuses changes nothing and says so; none throws. All members are safe to call from any thread.</para>
/// <para>Tests bring their own implementation to see what happens when the system refuses.</para>
/// </remarks>
internal abstract class VirtualMemory
{
    /// <summary>The system this process runs on.</summary>
    internal static VirtualMemory Current { get; } = Create();

    /// <summary>The unit of commitment, in bytes; a power of two.</summary>
    internal abstract nuint OsPageSize { get; }

    /// <summary>Takes <paramref name="size"/> bytes of address space, no memory; 0 when there is none to be had.</summary>
    /// <param name="size">Bytes, a multiple of the OS page size, not 0.</param>
    /// <param name="alignment">What the address is a multiple of: a power of two, at least the OS page size.</param>
    /// <returns>The address, or 0.</returns>
    internal abstract nint Reserve(nuint size, nuint alignment);

    /// <summary>
    /// Makes reserved or decommitted memory readable and writable. Fresh memory is zero; memory that was committed already keeps its
    /// contents. False when the system refuses: the range is then as it was.
    /// </summary>
    internal abstract bool Commit(nint address, nuint size);

    /// <summary>
    /// Gives the memory behind a committed range back and keeps the address space. The contents are lost: the next
    /// <see cref="Commit"/> finds zeros. Until then an access may fault or may find zeros. Never fails: what the system cannot take back
    /// it keeps, zeroed.
    /// </summary>
    internal abstract void Decommit(nint address, nuint size);

    /// <summary>As <see cref="Decommit"/>, and every access faults until the range is committed again. False when the system refuses.</summary>
    internal abstract bool Seal(nint address, nuint size);

    /// <summary>Gives a whole reservation back, with the address and size of its <see cref="Reserve"/>.</summary>
    internal abstract void Release(nint address, nuint size);

    /// <summary>
    /// Moves the contents of a whole committed reservation into the beginning of a reserved range by remapping instead of copying.
    /// Afterwards the first range is released and the beginning of the second is committed. False where the system cannot: nothing has
    /// changed then.
    /// </summary>
    /// <param name="source">A whole reservation, all of it committed.</param>
    /// <param name="size">Its size.</param>
    /// <param name="target">A reserved, uncommitted range of at least <paramref name="size"/> bytes.</param>
    /// <returns>Whether it was done.</returns>
    internal virtual bool TryMove(nint source, nuint size, nint target) => false;

    /// <summary>Asks for huge pages in a committed or reserved range; a wish, without an answer.</summary>
    internal virtual void PreferHugePages(nint address, nuint size)
    {
    }

    /// <exception cref="PlatformNotSupportedException">The process is not a 64-bit one on Linux, macOS or Windows.</exception>
    private static VirtualMemory Create()
    {
        if (Environment.Is64BitProcess && OperatingSystem.IsLinux())
        {
            return new LinuxVirtualMemory();
        }

        if (Environment.Is64BitProcess && OperatingSystem.IsMacOS())
        {
            return new MacVirtualMemory();
        }

        throw new PlatformNotSupportedException(
            $"Native heaps need a 64-bit process on Linux, macOS or Windows; this is {Environment.OSVersion}, {IntPtr.Size * 8} bits.");
    }
}
