namespace Tarn.TestChild;

/// <summary>Seals every other OS page until the kernel has no mappings left, then checks which calls it refuses.</summary>
/// <remarks>The runtime needs mappings too, so as little as may be happens until there are some again.</remarks>
internal static class AllMappings
{
    internal static unsafe void Run(string[] arguments)
    {
        VirtualMemory memory = VirtualMemory.Current;
        int most = int.Parse(arguments[0]);
        nuint unit = memory.OsPageSize;
        Rehearse(memory, unit);
        nuint size = unit * 2 * (nuint)most;
        byte* address = (byte*)memory.Reserve(size, unit);
        bool committed = memory.Commit((nint)address, size);

        int refusedAt = SealEveryOther(memory, address, most, out int contents);
        memory.Release((nint)address, size);

        Console.WriteLine($"committed={(committed ? 1 : 0)}");
        Console.WriteLine($"sealed={refusedAt}");
        Console.WriteLine($"contents={contents}");
        nint again = memory.Reserve(unit, unit);
        Console.WriteLine($"again={(memory.Commit(again, unit) ? 1 : 0)}");
        memory.Release(again, unit);
    }

    /// <summary>Everything that happens without mappings happens once before, so that nothing is compiled then.</summary>
    private static unsafe void Rehearse(VirtualMemory memory, nuint unit)
    {
        nint address = memory.Reserve(unit * 2, unit);
        memory.Commit(address, unit * 2);
        SealEveryOther(memory, (byte*)address, 1, out _);
        memory.Release(address, unit * 2);
    }

    /// <summary>The first seal that was refused, and the contents of the memory it left unchanged.</summary>
    private static unsafe int SealEveryOther(VirtualMemory memory, byte* address, int most, out int contents)
    {
        nuint unit = memory.OsPageSize;
        for (int i = 0; i < most; i++)
        {
            byte* next = address + unit * 2 * (nuint)i;
            *next = 42;
            if (!memory.Seal((nint)next, unit))
            {
                contents = *next;
                return i;
            }
        }

        contents = 0;
        return most;
    }
}
