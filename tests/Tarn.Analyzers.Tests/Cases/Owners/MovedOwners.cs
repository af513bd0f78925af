using System;
using System.Buffers;
using System.IO;
using System.Threading.Tasks;
using CommunityToolkit.HighPerformance.Buffers;

/// <summary>Calls on an owner that hand out another owner.</summary>
internal static class MovedOwners
{
    internal static IMemoryOwner<byte> Sliced(Stream source, int length)
    {
        MemoryOwner<byte> owner = MemoryOwner<byte>.Allocate(length + 8);
        source.ReadExactly(owner.Span);
        return owner.Slice(0, length);
    }

    internal static async Task<IMemoryOwner<byte>> SlicedLater(Stream source, int length)
    {
        MemoryOwner<byte> owner = MemoryOwner<byte>.Allocate(length + 8);
        await source.ReadExactlyAsync(owner.Memory);
        return owner.Slice(0, length);
    }

    internal static int SlicedAndLost(Stream source, int length)
    {
        MemoryOwner<byte> owner = MemoryOwner<byte>.Allocate(length + 8);
        source.ReadExactly(owner.Span);
        MemoryOwner<byte> part = owner.Slice(0, length); // expect TARN011
        return part.Length;
    }

    internal static int SlicedAndDisposed(Stream source, int length)
    {
        MemoryOwner<byte> owner = MemoryOwner<byte>.Allocate(length + 8);
        source.ReadExactly(owner.Span);
        using MemoryOwner<byte> part = owner.Slice(0, length);
        return part.Length;
    }

    internal static int BothDisposed(Stream source, int length)
    {
        using MemoryOwner<byte> owner = MemoryOwner<byte>.Allocate(length + 8);
        source.ReadExactly(owner.Span);
        using MemoryOwner<byte> part = owner.Slice(0, length);
        return part.Span[0];
    }

    internal static int UsedAfterPartWasDisposed(Stream source, int length)
    {
        MemoryOwner<byte> owner = MemoryOwner<byte>.Allocate(length + 8);
        source.ReadExactly(owner.Span);
        MemoryOwner<byte> part = owner.Slice(0, length);
        Span<byte> span = part.Span;
        part.Dispose();
        return span[0]; // expect TARN002
    }

    internal static IMemoryOwner<byte> OfOwnKind(int length)
    {
        Counted owner = Counted.Rent(length);
        return owner.Cut(length);
    }

    internal static IMemoryOwner<byte> OfOwnKindByProperty(int length)
    {
        Counted owner = Counted.Rent(length);
        return owner.Inner;
    }

    internal static int OfOwnKindAndLost(int length)
    {
        Counted owner = Counted.Rent(length); // expect TARN011
        return owner.Memory.Length;
    }

    internal static int BothUsed(int length)
    {
        using Counted owner = Counted.Rent(length);
        using IMemoryOwner<byte> other = owner.Cut(length);
        return other.Memory.Length + owner.Memory.Length;
    }

    private abstract class Counted : IMemoryOwner<byte>
    {
        public abstract Memory<byte> Memory { get; }

        public abstract IMemoryOwner<byte> Inner { get; }

        [return: Rented]
        internal static Counted Rent(int length) => throw new NotSupportedException(length.ToString());

        public abstract IMemoryOwner<byte> Cut(int length);

        public abstract void Dispose();
    }

    [AttributeUsage(AttributeTargets.ReturnValue)]
    private sealed class RentedAttribute : Attribute;
}

namespace CommunityToolkit.HighPerformance.Buffers
{
    internal abstract class MemoryOwner<T> : IMemoryOwner<T>
    {
        public abstract Memory<T> Memory { get; }

        public abstract Span<T> Span { get; }

        public abstract int Length { get; }

        public static MemoryOwner<T> Allocate(int size) => throw new NotSupportedException(size.ToString());

        public abstract MemoryOwner<T> Slice(int start, int length);

        public abstract void Dispose();
    }
}
