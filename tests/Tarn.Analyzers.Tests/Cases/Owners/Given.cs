using System;
using System.Buffers;
using System.IO;
using Tarn;

/// <summary>What a method owns from then on is no longer this method's to use, return or dispose.</summary>
internal static class WrongGiven
{
    internal static void Disposed(SequenceBuilder<byte> builder)
    {
        using IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(9); // expect TARN001
        builder.Append(owner);
    }

    internal static void DisposedLater(SequenceBuilder<byte> builder)
    {
        IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(9);
        builder.Append(owner);
        owner.Dispose(); // expect TARN001
    }

    internal static void Used(SequenceBuilder<byte> builder)
    {
        IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(9);
        builder.Append(owner);
        owner.Memory.Span[0] = 1; // expect TARN002
    }

    internal static void Returned()
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        RightGiven.Keep(array);
        ArrayPool<byte>.Shared.Return(array); // expect TARN001
    }

    internal static void Written()
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        RightGiven.Keep(array);
        array[0] = 1; // expect TARN002
    }
}

internal static class RightGiven
{
    private static byte[]? s_kept;

    internal static void Keep([TakesOwnership] byte[] array) => s_kept = array;

    internal static void Given(SequenceBuilder<byte> builder, int length)
    {
        IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(length);
        owner.Memory.Span[0] = 1;
        builder.Append(owner);
    }

    /// <summary>A call that throws may not have taken it.</summary>
    internal static void DisposedWhenItThrows(SequenceBuilder<byte> builder)
    {
        IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(9);
        try
        {
            builder.Append(owner);
        }
        catch (ObjectDisposedException)
        {
            owner.Dispose();
            throw;
        }
    }

    internal static void GivenOrReturned(Stream stream)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        if (stream.Read(array, 0, 9) == 9)
        {
            Keep(array);
        }
        else
        {
            ArrayPool<byte>.Shared.Return(array);
        }
    }

    internal static void GivenAgain(int count)
    {
        for (int i = 0; i < count; i++)
        {
            byte[] array = ArrayPool<byte>.Shared.Rent(9);
            array[0] = 1;
            Keep(array);
        }
    }
}

/// <summary>An owner in a field is replaced as an array is.</summary>
internal sealed class ReplacedOwner : IDisposable
{
    private IMemoryOwner<byte> _owner;

    internal ReplacedOwner(int length) => _owner = MemoryPool<byte>.Shared.Rent(length);

    internal void Grow(int length)
    {
        IMemoryOwner<byte> larger = MemoryPool<byte>.Shared.Rent(length); // expect TARN011
        _owner.Memory.CopyTo(larger.Memory);
        _owner = larger;
    }

    internal void GrowRight(int length)
    {
        IMemoryOwner<byte> larger = MemoryPool<byte>.Shared.Rent(length);
        _owner.Memory.CopyTo(larger.Memory);
        _owner.Dispose();
        _owner = larger;
    }

    internal void Swap(int length)
    {
        IMemoryOwner<byte> before = _owner;
        _owner = MemoryPool<byte>.Shared.Rent(length);
        before.Memory.CopyTo(_owner.Memory);
        before.Dispose();
    }

    public void Dispose() => _owner.Dispose();
}
