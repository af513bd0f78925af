using System.Buffers;
using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>A <see cref="BufferPool{T}"/> as the <see cref="MemoryPool{T}"/> that pipes need.</summary>
internal sealed class PooledMemoryPool<T>(BufferPool<T> pool) : MemoryPool<T>
{
    /// <summary>The size for callers that request none: that of the BCL's memory pool, and at least one element.</summary>
    private const int DefaultBytes = 4096;

    private static readonly int s_defaultLength = Math.Max(1, DefaultBytes / Unsafe.SizeOf<T>());

    /// <inheritdoc/>
    public override int MaxBufferSize => Array.MaxLength;

    /// <inheritdoc/>
    public override IMemoryOwner<T> Rent(int minBufferSize = -1)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(minBufferSize, -1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(minBufferSize, MaxBufferSize);

        T[] array = pool.Rent(minBufferSize == -1 ? s_defaultLength : minBufferSize);
        return LeasedMemory<T>.Create(pool, array, array.Length);
    }

    /// <summary>Does nothing, because this object does not own the pool.</summary>
    protected override void Dispose(bool disposing)
    {
    }
}
