using System.Runtime.InteropServices;

namespace Tarn.TestChild;

/// <summary>
/// The shape of dotnet/runtime#122027: threads that come one after another, each in an arena of its own, allocate much with malloc, free
/// almost all of it, and keep the block at the end of the arena, so that nothing goes back to the system. It ends with its input.
/// </summary>
internal static unsafe class ScatteredArenas
{
    private const int Threads = 64;
    private const int Size = 8 << 10;
    private const int Blocks = 2_000;

    public static void Run(string[] arguments)
    {
        using ManualResetEventSlim end = new();
        for (int index = 0; index < Threads; index++)
        {
            using ManualResetEventSlim done = new();
            new Thread(() =>
            {
                Work();
                done.Set();
                end.Wait();
            })
            { IsBackground = true }.Start();
            done.Wait();
        }

        Console.WriteLine("ready");
        while (Console.ReadLine() is not null)
        {
        }

        end.Set();
    }

    private static void Work()
    {
        nint[] blocks = new nint[Blocks];
        for (int index = 0; index < Blocks; index++)
        {
            blocks[index] = (nint)NativeMemory.Alloc(Size);
            new Span<byte>((void*)blocks[index], Size).Fill(1);
        }

        // The last one stays.
        for (int index = 0; index < Blocks - 1; index++)
        {
            NativeMemory.Free((void*)blocks[index]);
        }
    }
}
