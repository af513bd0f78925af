using System;
using System.Buffers;
using System.IO;

/// <summary>Methods that hand out buffers through variables of their callers.</summary>
internal static class GivenByReference
{
    internal static int Lost(Stream source, int length)
    {
        Rent(length, out byte[] buffer); // expect TARN011
        return source.Read(buffer, 0, length);
    }

    internal static int Returned(Stream source, int length)
    {
        Rent(length, out byte[] buffer);
        int read = source.Read(buffer, 0, length);
        ArrayPool<byte>.Shared.Return(buffer);
        return read;
    }

    internal static int Forgotten(Stream source, int length)
    {
        Rent(length, out byte[] buffer); // expect TARN011
        int read = source.Read(buffer, 0, length);
        if (read == 0)
        {
            return -1;
        }

        ArrayPool<byte>.Shared.Return(buffer);
        return read;
    }

    internal static int Tried(Stream source, int length)
    {
        if (!TryRent(length, out byte[]? buffer))
        {
            return -1;
        }

        int read = source.Read(buffer!, 0, length);
        ArrayPool<byte>.Shared.Return(buffer!);
        return read;
    }

    internal static int TriedAndLost(Stream source, int length)
    {
        if (!TryRent(length, out byte[]? buffer)) // expect TARN011
        {
            return -1;
        }

        return source.Read(buffer!, 0, length);
    }

    internal static int UsedLater(Stream source, int length)
    {
        Rent(length, out byte[] buffer);
        int read = source.Read(buffer, 0, length);
        ArrayPool<byte>.Shared.Return(buffer);
        return read + buffer[0]; // expect TARN002
    }

    internal static byte[] Passed(int length)
    {
        Rent(length, out byte[] buffer);
        return buffer;
    }

    internal static int ThroughAnother(Stream source, int length)
    {
        RentTwice(length, out byte[] buffer); // expect TARN011
        return source.Read(buffer, 0, length);
    }

    internal static int Owned(Stream source, int length)
    {
        RentOwner(length, out IMemoryOwner<byte> owner); // expect TARN011
        return source.Read(owner.Memory.Span);
    }

    internal static int OwnedAndDisposed(Stream source, int length)
    {
        RentOwner(length, out IMemoryOwner<byte> owner);
        using (owner)
        {
            return source.Read(owner.Memory.Span);
        }
    }

    internal static int Kept(Stream source, int length)
    {
        RentAndKeep(length, out byte[] buffer);
        return source.Read(buffer, 0, length);
    }

    private static void Rent(int length, out byte[] buffer) => buffer = ArrayPool<byte>.Shared.Rent(length);

    private static bool TryRent(int length, out byte[]? buffer)
    {
        if (length > 1 << 20)
        {
            buffer = null;
            return false;
        }

        byte[] rented = ArrayPool<byte>.Shared.Rent(length);
        rented.AsSpan(0, length).Clear();
        buffer = rented;
        return true;
    }

    private static void RentTwice(int length, out byte[] buffer) => Rent(length * 2, out buffer);

    private static void RentOwner(int length, out IMemoryOwner<byte> owner) => owner = MemoryPool<byte>.Shared.Rent(length);

    private static byte[]? s_kept;

    private static void RentAndKeep(int length, out byte[] buffer) => s_kept = buffer = ArrayPool<byte>.Shared.Rent(length);
}
