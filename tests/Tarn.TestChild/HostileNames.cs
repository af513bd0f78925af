using System.Runtime.InteropServices;

namespace Tarn.TestChild;

/// <summary>A program that gives everything a name of its argument: a pool, a heap, a mapping. It allocates until its input ends.</summary>
internal static unsafe partial class HostileNames
{
    private const int Bytes = 1 << 20;

    public static void Run(string[] arguments)
    {
        string name = arguments[0];
        BufferPool<byte> pool = BufferPool<byte>.Create(new BufferPoolOptions { Name = name });
        using var heap = new NativeHeap(new NativeHeapOptions { Name = name });
        byte* block = (byte*)heap.Allocate(1_000);
        Map(name);
        Console.WriteLine("ready");
        Task<int> end = Task.Run(Console.In.Read);
        while (!end.IsCompleted)
        {
            pool.Return(pool.Rent(1_000));
            byte[] garbage = new byte[100_000];
            *block = garbage[^1];
            Thread.Sleep(1);
        }

        heap.Free(block);
    }

    private static void Map(string name)
    {
        int file = CreateFile(name, 0);
        _ = SetLength(file, Bytes);
        byte* memory = (byte*)MapFile(0, Bytes, 3, 1, file, 0);
        new Span<byte>(memory, Bytes).Fill(1);
    }

    [LibraryImport("libc", EntryPoint = "memfd_create", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int CreateFile(string name, uint flags);

    [LibraryImport("libc", EntryPoint = "ftruncate")]
    private static partial int SetLength(int file, long length);

    [LibraryImport("libc", EntryPoint = "mmap")]
    private static partial nint MapFile(nint address, nint length, int protection, int flags, int file, nint offset);
}
