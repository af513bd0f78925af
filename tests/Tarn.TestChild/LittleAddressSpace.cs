namespace Tarn.TestChild;

/// <summary>Reserves until no address space is left, under a limit set by the process that starts this one, and carries on.</summary>
internal static class LittleAddressSpace
{
    private const nuint Megabyte = 1 << 20;

    /// <summary>More than there is.</summary>
    private static readonly nuint s_tooMuch = (nuint)4 << 30;

    /// <summary>
    /// An alignment that no address has by chance. The system hands out a multiple of 4 GiB now and then, and a
    /// reservation that happens to be aligned succeeds at once.
    /// </summary>
    private static readonly nuint s_tooAligned = (nuint)1 << 44;

    internal static unsafe void Run(string[] arguments)
    {
        VirtualMemory memory = VirtualMemory.Current;
        Console.WriteLine($"too much={memory.Reserve(s_tooMuch, memory.OsPageSize)}");

        // The requested size would fit, but not the size that its alignment needs.
        Console.WriteLine($"too aligned={memory.Reserve(64 * Megabyte, s_tooAligned)}");

        Console.WriteLine($"first={ReserveAll(memory)}");
        Console.WriteLine($"second={ReserveAll(memory)}");
        Console.WriteLine($"used={Use(memory)}");
    }

    /// <summary>How many reservations there is room for; all are released again.</summary>
    private static int ReserveAll(VirtualMemory memory)
    {
        List<nint> reserved = [];
        while (memory.Reserve(64 * Megabyte, 2 * Megabyte) is var address and not 0)
        {
            reserved.Add(address);
        }

        reserved.ForEach(address => memory.Release(address, 64 * Megabyte));
        return reserved.Count;
    }

    private static unsafe int Use(VirtualMemory memory)
    {
        nint address = memory.Reserve(Megabyte, Megabyte);
        bool committed = memory.Commit(address, Megabyte);
        *(int*)address = 42;
        int read = *(int*)address;
        memory.Release(address, Megabyte);
        return committed ? read : -1;
    }
}
