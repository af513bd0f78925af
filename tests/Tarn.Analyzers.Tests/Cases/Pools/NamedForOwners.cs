using System;
using System.Buffers;

/// <summary>Methods of pools that are named for renting and hand out owners.</summary>
internal static class NamedForOwners
{
    internal static int Lost(ClearingPool pool, int length)
    {
        IMemoryOwner<byte> owner = pool.RentCleared(length); // expect TARN011
        return owner.Memory.Length;
    }

    internal static int Disposed(ClearingPool pool, int length)
    {
        using IMemoryOwner<byte> owner = pool.RentCleared(length);
        return owner.Memory.Length;
    }

    internal static void GivenBack(NativePool pool, int length)
    {
        Block block = pool.RentNative(length);
        block.GetSpan()[0] = 1;
        block.Return();
    }

    internal static int NotOfPool(Landlord landlord, int length) => landlord.RentRoom(length).Memory.Length;

    internal abstract class ClearingPool : NativePool
    {
        internal abstract IMemoryOwner<byte> RentCleared(int length);
    }

    internal abstract class NativePool
    {
        internal abstract Block RentNative(int length);
    }

    internal abstract class Landlord
    {
        internal abstract IMemoryOwner<byte> RentRoom(int number);
    }

    internal abstract class Block : MemoryManager<byte>
    {
        internal abstract void Return();
    }
}
