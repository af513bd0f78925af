using System.Runtime.CompilerServices;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Experiments.Native;

/// <summary>The growth of a process through an unused heap: the first one, including its machine code, and a further one.</summary>
internal sealed class UnusedHeapJob : IChildJob
{
    public const string First = "first";
    public const string Further = "further";
    public const string FurtherUsed = "further, after one block";
    private const int Size = 64;
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(200);

    public string Name => "unused-heap";

    public static IReadOnlyDictionary<string, double> Start() => ChildProcess.Run("unused-heap");

    public IReadOnlyDictionary<string, double> Run(IReadOnlyList<string> arguments)
    {
        ReadSettled();
        long before = ReadSettled();
        using NativeHeap first = Make();
        long made = ReadSettled();
        // Compiles the code of the further heap, so that only the heap itself counts then.
        UseOnce(first);
        long used = ReadSettled();
        using NativeHeap further = Make();
        long furtherMade = ReadSettled();
        UseOnce(further);
        return new Dictionary<string, double>
        {
            [First] = made - before,
            [Further] = furtherMade - used,
            [FurtherUsed] = ReadSettled() - used,
        };
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static NativeHeap Make() => new(new NativeHeapOptions { Name = "lab unused" });

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static unsafe void UseOnce(NativeHeap heap) => heap.Free(heap.Allocate(Size), Size);

    private static long ReadSettled()
    {
        GC.Collect();
        Thread.Sleep(s_pause);
        return ResidentMemory.Read();
    }
}
