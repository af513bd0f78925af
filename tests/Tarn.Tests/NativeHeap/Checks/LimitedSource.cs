using System.Runtime.InteropServices;

namespace Tarn.Tests.NativeHeaps.Checks;

/// <summary>Raw memory of the C library, limited to a number of blocks.</summary>
internal sealed unsafe class LimitedSource : IBlockSource
{
    internal int Left { get; set; } = int.MaxValue;

    internal int Held { get; private set; }

    public void* Allocate(nuint size, bool zeroed)
    {
        if (Left == 0)
        {
            throw new OutOfMemoryException();
        }

        Left--;
        Held++;
        void* block = NativeMemory.AlignedAlloc(size, IBlockSource.Alignment);
        NativeMemory.Fill(block, size, (byte)(zeroed ? 0 : 0x77));
        return block;
    }

    public void Free(void* block, nuint size)
    {
        Held--;
        NativeMemory.AlignedFree(block);
    }
}
