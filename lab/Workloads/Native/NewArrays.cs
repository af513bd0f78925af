using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Native;

/// <summary>The same small blocks as <see cref="ScopedBlocks"/> as arrays that the garbage collector clears and frees.</summary>
internal struct NewArrays() : IWork
{
    // On the heap, so that the compiler cannot put the arrays on the stack.
    private readonly byte[][] _held = new byte[ScopedBlocks.Count][];

    public void Once()
    {
        byte[][] held = _held;
        for (int index = 0; index < held.Length; index++)
        {
            byte[] block = new byte[ScopedBlocks.Size];
            block[0] = 1;
            held[index] = block;
        }
    }
}
