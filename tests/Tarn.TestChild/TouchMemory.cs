namespace Tarn.TestChild;

/// <summary>Touches memory in the state the first argument names, the way the second does; a fault ends the process.</summary>
internal static class TouchMemory
{
    internal static unsafe void Run(string[] arguments)
    {
        VirtualMemory memory = VirtualMemory.Current;
        nuint size = memory.OsPageSize * 4;
        byte* address = (byte*)memory.Reserve(size, memory.OsPageSize);
        bool prepared = arguments[0] switch
        {
            "reserved" => true,
            "committed" => memory.Commit((nint)address, size),
            "sealed" => memory.Commit((nint)address, size) && Write(address + 1) && memory.Seal((nint)address, size),
            "beside" => memory.Commit((nint)(address + size / 2), size / 2),
            _ => false,
        };
        Console.WriteLine(prepared ? "prepared" : "refused");
        if (arguments[1] == "write")
        {
            Write(address + 1);
        }
        else
        {
            GC.KeepAlive(address[1]);
        }

        Console.WriteLine("survived");
    }

    private static unsafe bool Write(byte* address)
    {
        *address = 42;
        return true;
    }
}
