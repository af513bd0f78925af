extern alias Counted;

using System.Runtime.InteropServices;
using Tarn.Lab.Contenders.Arrays;

namespace Tarn.Lab.Contenders.Counted;

/// <summary>
/// A heap of the counted library behind the calls of a pool, so that it can replay what programs rented. An array stands for a block, and
/// holds its address and size.
/// </summary>
internal readonly unsafe struct CountedBlocks(Counted::Tarn.Native.NativeHeap heap) : IBytePool
{
    /// <summary>The first and the last words are the program's, which may write the first and last bytes of what it rents.</summary>
    private const int Words = 4;

    private const int AddressWord = 1;
    private const int SizeWord = 2;

    [ThreadStatic]
    private static Stack<byte[]>? t_unused;

    public byte[] Rent(int length)
    {
        byte[] array = (t_unused ??= new()).TryPop(out byte[]? unused) ? unused : new byte[Words * sizeof(long)];
        Span<long> words = MemoryMarshal.Cast<byte, long>(array.AsSpan());
        words[AddressWord] = (nint)heap.Allocate((nuint)length);
        words[SizeWord] = length;
        return array;
    }

    public void Return(byte[] array)
    {
        Span<long> words = MemoryMarshal.Cast<byte, long>(array.AsSpan());
        heap.Free((void*)(nint)words[AddressWord], (nuint)words[SizeWord]);
        (t_unused ??= new()).Push(array);
    }
}
