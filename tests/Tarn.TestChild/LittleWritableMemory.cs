namespace Tarn.TestChild;

/// <summary>Commits more than it may, under a limit set by the process that starts this one, and checks the memory it had before.</summary>
internal static class LittleWritableMemory
{
    internal static unsafe void Run(string[] arguments)
    {
        VirtualMemory memory = VirtualMemory.Current;
        nuint size = (nuint)16 << 30;
        nuint half = size / 2;
        nint address = memory.Reserve(size, memory.OsPageSize);
        Console.WriteLine($"reserved={(address != 0 ? 1 : 0)}");
        Console.WriteLine($"little={(memory.Commit(address, memory.OsPageSize) ? 1 : 0)}");
        *(int*)address = 42;

        Console.WriteLine($"much={(memory.Commit(address, size) ? 1 : 0)}");
        Console.WriteLine($"contents={*(int*)address}");
        Console.WriteLine($"little again={(memory.Commit(address + (nint)half, memory.OsPageSize) ? 1 : 0)}");
        Console.WriteLine($"fresh={*(int*)(address + (nint)half)}");
        memory.Release(address, size);
    }
}
