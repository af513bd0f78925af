using System;
using System.Buffers;
using System.IO;
using Tarn;
using Tarn.Native;

internal static class Owners
{
    internal static int Used(Stream stream, int length)
    {
        IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(length); // expect TARN011
        return stream.Read(owner.Memory.Span);
    }

    internal static int Using(Stream stream, int length)
    {
        using IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(length);
        return stream.Read(owner.Memory.Span);
    }

    internal static IMemoryOwner<byte> Given(Stream stream, int length)
    {
        IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(length);
        stream.ReadExactly(owner.Memory.Span[..length]);
        return owner;
    }

    internal static unsafe int Native(Stream stream, int length)
    {
        byte* block = (byte*)NativeHeap.Shared.Allocate((nuint)length); // expect TARN011
        return stream.Read(new Span<byte>(block, length));
    }

    internal static unsafe int NativeFreed(Stream stream, int length)
    {
        byte* block = (byte*)NativeHeap.Shared.Allocate((nuint)length);
        try
        {
            return stream.Read(new Span<byte>(block, length));
        }
        finally
        {
            NativeHeap.Shared.Free(block);
        }
    }

    internal static unsafe int NativeEarlyReturn(Stream stream, int length)
    {
        byte* block = (byte*)NativeHeap.Shared.Allocate((nuint)length); // expect TARN011
        int read = stream.Read(new Span<byte>(block, length));
        if (read == 0)
        {
            return -1;
        }

        NativeHeap.Shared.Free(block);
        return read;
    }

    internal static unsafe void NativeFor(int length, out void* block) => block = NativeHeap.Shared.Allocate((nuint)length);
}
