using System.Buffers;
using Tarn;
using Tarn.Native;

/// <summary>A target is captured first when a choice between values is assigned to it: it is stored into all the same.</summary>
internal sealed unsafe class StoredByChoice
{
    private readonly byte* _block;
    private byte[]? _array;

    internal byte[]? HandedArray => _array;

    internal StoredByChoice(NativeHeap heap, bool isZeroed)
    {
        _block = (byte*)(isZeroed ? heap.AllocateZeroed(64) : heap.Allocate(64));
    }

    internal void Keep(int length, bool isLong) =>
        _array = isLong ? ArrayPool<byte>.Shared.Rent(length * 2) : ArrayPool<byte>.Shared.Rent(length);

    internal static void KeepIn(byte[][] table, int length, bool isLong)
    {
        table[0] = isLong ? ArrayPool<byte>.Shared.Rent(length * 2) : ArrayPool<byte>.Shared.Rent(length);
    }

    internal static void Hand(out byte[] array, int length, bool isLong)
    {
        array = isLong ? ArrayPool<byte>.Shared.Rent(length * 2) : ArrayPool<byte>.Shared.Rent(length);
    }

    internal static void Lose(int length, bool isLong)
    {
        byte[] array;
        array = isLong ? ArrayPool<byte>.Shared.Rent(length * 2) : ArrayPool<byte>.Shared.Rent(length); // expect TARN011 TARN011
        array[0] = 1;
    }

    internal byte Read() => _array is null ? *_block : _array[0];
}
