using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn;

/// <summary>The owner of a block that a server rented. It is reused, as servers' own pools do, so that a rent allocates nothing.</summary>
/// <remarks>
/// A second disposal does nothing until the owner has been handed out again; a pool with checks never hands it out again, and reports
/// the second disposal. Memory taken before the disposal refers to the array and is not guarded, as with every pool of a server.
/// </remarks>
internal sealed class Block(BlockPool pool) : IMemoryOwner<byte>
{
    private byte[]? _array;
    private bool _isPooled;

    /// <summary>The array after the disposal, for a pool that reports a second one.</summary>
    private byte[]? _returned;

    /// <inheritdoc/>
    /// <exception cref="ObjectDisposedException">The block was disposed.</exception>
    public Memory<byte> Memory
    {
        get
        {
            byte[]? array = Volatile.Read(ref _array);
            if (array is null)
            {
                ThrowDisposed();
            }

            // Only pooled arrays are on the pinned heap.
            return _isPooled ? MemoryMarshal.CreateFromPinnedArray(array, 0, array.Length) : array;
        }
    }

    /// <summary>Returns the block to its pool, once.</summary>
    /// <exception cref="InvalidOperationException">The block was disposed before, and the pool's checks look for that.</exception>
    public void Dispose()
    {
        bool isPooled = _isPooled;
        byte[]? array = Interlocked.Exchange(ref _array, null);
        if (array is not null)
        {
            _returned = isPooled && pool.RefusesSecondReturn ? array : null;
            pool.Return(this, array, isPooled);
        }
        else if (_returned is { } again)
        {
            pool.RefuseSecondReturn(again);
        }
    }

    /// <summary>Makes this the owner of an array.</summary>
    internal Block Own(byte[] array, bool isPooled)
    {
        _isPooled = isPooled;
        Volatile.Write(ref _array, array);
        return this;
    }

    [System.Diagnostics.CodeAnalysis.DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ThrowDisposed() =>
        throw new ObjectDisposedException(nameof(Block), "The block was disposed: its memory belongs to the pool, or to someone else.");
}
