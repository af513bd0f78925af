namespace Tarn.TestChild;

/// <summary>
/// Allocates from a heap until there is no memory, and writes which assemblies were loaded for the call that was refused, and how often it
/// collected. Argument: the blocks' size.
/// </summary>
/// <remarks>In a process of its own: in another one they are loaded long since.</remarks>
internal static unsafe class RefusedMemory
{
    private const long Limit = 64 << 20;

    internal static void Run(string[] arguments)
    {
        nuint size = nuint.Parse(arguments[0]);
        using NativeHeap heap = new(new NativeHeapOptions { Checks = BufferChecks.None, Memory = new LimitedMemory(Limit) });
        heap.Free(heap.Allocate(size), size);
        List<string> loaded = [];
        AppDomain.CurrentDomain.AssemblyLoad += (_, load) => loaded.Add(load.LoadedAssembly.GetName().Name!);
        int collections;
        while (true)
        {
            loaded.Clear();
            collections = GC.CollectionCount(GC.MaxGeneration);
            try
            {
                heap.Allocate(size);
            }
            catch (OutOfMemoryException)
            {
                break;
            }
        }

        collections = GC.CollectionCount(GC.MaxGeneration) - collections;
        Console.WriteLine($"loaded: {string.Join(", ", loaded)}");
        Console.WriteLine($"collections: {collections}");
    }
}
