using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>A segment of a stream: contiguous memory that holds the stream's bytes from <see cref="Start"/> on.</summary>
/// <remarks>
/// Either <see cref="Array"/> or <see cref="Block"/> is set. The first request for a block as a <see cref="Memory{T}"/> wraps it in a
/// <see cref="NativeBuffer{T}"/>, which detects use after free but is an object with a finalizer; most streams never need it. A segment may
/// be closed before its memory is full, so <see cref="Size"/> may be less than the size of its memory.
/// </remarks>
internal unsafe struct Segment
{
    internal byte[]? Array;

    /// <summary>A block of the stream's heap.</summary>
    internal byte* Block;

    /// <summary>The block's owner, if it has one.</summary>
    internal NativeBuffer<byte>? Owner;

    /// <summary>The hold on the array, once slices of it were given out.</summary>
    internal CountedSlice<byte> Hold;

    /// <summary>The position in the stream of the first byte.</summary>
    internal long Start;

    /// <summary>The bytes of the stream that this segment holds or has room for.</summary>
    internal int Size;

    /// <summary>The size that the block was allocated with.</summary>
    internal int BlockSize;

    internal readonly bool IsNative => Block is not null;

    internal readonly long End => Start + Size;

    internal readonly Span<byte> GetSpan(int offset, int length) =>
        Array is null
            ? new Span<byte>(Block + offset, length)
            : MemoryMarshal.CreateSpan(ref MemoryMarshal.GetArrayDataReference(Array), Size).Slice(offset, length);

    internal Memory<byte> GetMemory(NativeHeap? heap, int offset, int length)
    {
        if (Array is not null)
        {
            return new Memory<byte>(Array, offset, length);
        }

        Owner ??= new NativeBuffer<byte>(heap!, Block, BlockSize);
        return Owner.GetMemory(offset, length);
    }

    /// <summary>
    /// Clears the first <paramref name="written"/> bytes. If that is the whole segment, clears the whole array, which may be longer.
    /// </summary>
    internal readonly void Clear(int written)
    {
        if (Array is not null && written == Size)
        {
            BufferCopy.Clear(Array);
        }
        else
        {
            BufferCopy.Clear(GetSpan(0, written));
        }
    }

    /// <summary>Returns the memory without clearing it.</summary>
    internal readonly void Return(PooledMemoryStreamOptions options)
    {
        if (Array is not null)
        {
            (options.Pool ?? BufferPool<byte>.Shared).Return(Array);
        }
        else if (Owner is not null)
        {
            Owner.Dispose();
        }
        else
        {
            FreeBlock(options.Heap!, Block, BlockSize);
        }

        BudgetedSegments.Return(Array?.Length ?? BlockSize, options);
    }

    /// <summary>Frees a block, unless its heap was disposed, and the block with it.</summary>
    internal static void FreeBlock(NativeHeap heap, byte* block, int size)
    {
        try
        {
            if (!heap.IsDisposed)
            {
                heap.Free(block, (nuint)size);
            }
        }
        catch (ObjectDisposedException) when (heap.IsDisposed)
        {
            // Another thread disposed the heap in between.
        }
    }
}
