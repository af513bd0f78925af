using System.Runtime.CompilerServices;

namespace Tarn.TestChild;

/// <summary>
/// Misuses every block of a heap until it meets the one in 64 that is guarded, which ends the process. Arguments: the misuse, and the
/// blocks' size.
/// </summary>
internal static unsafe class GuardedBlock
{
    private const int Enough = 64;

    internal static void Run(string[] arguments)
    {
        NativeHeap heap = new(new NativeHeapOptions { Checks = BufferChecks.GuardPages });
        int size = int.Parse(arguments[1]);
        for (int i = 0; i < Enough; i++)
        {
            byte* block = (byte*)heap.Allocate((nuint)size);
            WriteAll(block, size);
            switch (arguments[0])
            {
                case "past":
                    WritePastTheEnd(block, size);
                    break;
                case "read":
                    Console.WriteLine(ReadPastTheEnd(block, size) >= 0);
                    break;
                case "late":
                    heap.Free(block);
                    WriteLate(block);
                    break;
                default:
                    heap.Free(block);
                    break;
            }
        }

        Console.WriteLine("survived");
    }

    private static void WriteAll(byte* block, int size) => new Span<byte>(block, size).Fill(1);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void WritePastTheEnd(byte* block, int size) => block[size] = 1;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int ReadPastTheEnd(byte* block, int size) => block[size];

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void WriteLate(byte* block) => *block = 1;
}
