using System.Buffers;

// An owner that stays in the caller's variable may be disposed from there again; an array may not be returned again.
internal static class OwnerByReference
{
    internal static void Grow(MemoryPool<byte> pool, ref IMemoryOwner<byte>? owner, int length)
    {
        if (owner is null || owner.Memory.Length < length)
        {
            owner?.Dispose();
            owner = pool.Rent(length);
        }
    }

    internal static void Grow(ref byte[] array, int length)
    {
        if (array.Length < length)
        {
            ArrayPool<byte>.Shared.Return(array); // expect TARN001
            array = ArrayPool<byte>.Shared.Rent(length);
        }
    }
}
