using System.Buffers;

namespace Tarn;

/// <summary>What an asker gets: the blocks of its name, until it disposes this object.</summary>
/// <remarks>Kestrel asks for one of these for each queue of sockets. Those of one name share a <see cref="BlockPool"/>.</remarks>
internal sealed class ServerMemoryPool(BlockPool blocks, Action<BlockPool> end) : MemoryPool<byte>
{
    private int _isDisposed;

    /// <inheritdoc/>
    public override int MaxBufferSize => BlockPool.LargeBytes;

    /// <inheritdoc/>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="minBufferSize"/> is less than -1 or more than <see cref="MaxBufferSize"/>.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The pool was disposed.</exception>
    public override IMemoryOwner<byte> Rent(int minBufferSize = -1)
    {
        if ((uint)(minBufferSize + 1) > BlockPool.LargeBytes + 1)
        {
            throw new ArgumentOutOfRangeException(
                nameof(minBufferSize), minBufferSize, $"The size must be from 0 to {BlockPool.LargeBytes} bytes, or -1 for any.");
        }

        ObjectDisposedException.ThrowIf(Volatile.Read(ref _isDisposed) != 0, this);
        return blocks.Rent(minBufferSize);
    }

    /// <summary>Ends the use of the blocks. Blocks that are in use stay valid, and return when they are disposed.</summary>
    protected override void Dispose(bool disposing)
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) == 0)
        {
            end(blocks);
        }
    }
}
