using System.Runtime.CompilerServices;
using Tarn.Lab.Contenders.Arrays;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Arrays;

/// <summary>Rent eight buffers, then return all eight: nested calls, a message with parts, a batch.</summary>
internal struct DeepPairs<TPool>(TPool pool, int length) : IWork
    where TPool : struct, IBytePool
{
    public const int Depth = 8;

    public void Once()
    {
        // On the stack: storing into an array on the heap would add a write barrier to each rent, for every pool alike.
        Held held = default;
        for (int index = 0; index < Depth; index++)
        {
            held[index] = pool.Rent(length);
        }

        for (int index = 0; index < Depth; index++)
        {
            pool.Return(held[index]);
        }
    }

    [InlineArray(Depth)]
    private struct Held
    {
        private byte[] _first;
    }
}
