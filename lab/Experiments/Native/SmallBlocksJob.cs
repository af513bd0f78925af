using System.Runtime.CompilerServices;
using Tarn.Lab.Contenders.Native;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Experiments.Native;

/// <summary>
/// How much a million live 4-byte blocks make a process grow. Every block is written, because memory that is not touched takes no
/// place anywhere; none is remembered or freed, because what a program keeps its pointers in is not the allocator's.
/// </summary>
internal sealed class SmallBlocksJob : IChildJob
{
    public const int Blocks = 1_000_000;
    public const string BytesPerBlock = "bytes per block";
    private const int BlockSize = 4;
    private const int WarmUpPasses = 3;
    private const int WarmUpCalls = 40;
    private const int WarmUpBlocks = 50;
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(150);

    public string Name => "small-blocks";

    public static IReadOnlyDictionary<string, double> Start(string contender) => ChildProcess.Run("small-blocks", contender);

    public IReadOnlyDictionary<string, double> Run(IReadOnlyList<string> arguments) =>
        new Dictionary<string, double> { [BytesPerBlock] = NativeContenders.Find(arguments[0]).Accept(new Growth()) };

    private sealed class Growth : INativeVisitor<double>
    {
        public double Visit<TAllocator>(string name, TAllocator allocator)
            where TAllocator : struct, INativeAllocator
        {
            // Compiling takes memory too: it has to be over, and so has whatever the allocator and the reading need once.
            for (int pass = 0; pass < WarmUpPasses; pass++)
            {
                for (int call = 0; call < WarmUpCalls; call++)
                {
                    Allocate(allocator, WarmUpBlocks);
                }

                ResidentMemory.Read();
                Thread.Sleep(s_pause);
            }

            GC.Collect();
            long before = ResidentMemory.Read();
            Allocate(allocator, Blocks);
            return (ResidentMemory.Read() - before) / (double)Blocks;
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        private static unsafe void Allocate<TAllocator>(TAllocator allocator, int count)
            where TAllocator : struct, INativeAllocator
        {
            for (int index = 0; index < count; index++)
            {
                *(int*)allocator.Allocate(BlockSize) = index;
            }
        }
    }
}
