namespace Tarn.Native;

/// <summary>Memory for guarded blocks. Each is a reservation whose last OS page is never committed. Safe to call from any thread.</summary>
internal sealed class GuardedMemory(VirtualMemory memory)
{
    /// <summary>
    /// The most guarded blocks at a time. Each takes two mappings, of which Linux allows a process 65,530 by default; when they run out,
    /// everything fails, including the garbage collector.
    /// </summary>
    internal const int Most = 8192;

    private int _count;

    internal nuint OsPageSize => memory.OsPageSize;

    /// <summary>
    /// Allocates <paramref name="accessible"/> zeroed bytes, followed by an OS page that faults on every access; 0 when there is no memory.
    /// </summary>
    /// <param name="accessible">Bytes, a multiple of the OS page size, not 0.</param>
    /// <param name="alignment">The alignment of the address: a power of two, at least the OS page size.</param>
    /// <returns>The address, or 0.</returns>
    internal nuint Allocate(nuint accessible, nuint alignment)
    {
        if (Interlocked.Increment(ref _count) <= Most)
        {
            nuint reserved = accessible + OsPageSize;
            nint address = memory.Reserve(reserved, alignment);
            if (address != 0)
            {
                if (memory.Commit(address, accessible))
                {
                    return (nuint)address;
                }

                memory.Release(address, reserved);
            }
        }

        Interlocked.Decrement(ref _count);
        return 0;
    }

    /// <summary>Makes every access to the block fault from now on; false when the system refuses.</summary>
    internal bool Seal(CheckedBlock block) => memory.Seal((nint)block.Base, block.Footprint - OsPageSize);

    internal void Release(CheckedBlock block)
    {
        memory.Release((nint)block.Base, block.Footprint);
        Interlocked.Decrement(ref _count);
    }
}
