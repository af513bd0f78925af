using System.Runtime.CompilerServices;
using Tarn.Lab.Contenders.Native;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Experiments.Native;

/// <summary>
/// The growth of a process through a million live 4-byte blocks. Every block is written, because untouched memory takes no space. No
/// pointer is kept and no block freed, because the memory of the pointers is not the allocator's.
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
            // Compilation takes memory too, so it must be finished, like everything that the allocator and the reading need once.
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
