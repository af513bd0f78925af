using System.Buffers;

namespace Tarn;

/// <summary>The memory of a writer in one buffer of a <see cref="NativeHeap"/>, which the heap reallocates when it grows.</summary>
/// <remarks>
/// Only atomic exchanges replace the buffer. A disposal says so before it takes the buffer, and a growth asks after it has put one there,
/// so whichever comes last frees it.
/// </remarks>
internal sealed class HeapContents<T>(NativeHeap heap) : NativeContents<T>
    where T : unmanaged
{
    /// <summary>Null before the first growth, after a detachment, and once disposed.</summary>
    private NativeBuffer<T>? _buffer;
    private int _isDisposed;

    /// <inheritdoc/>
    internal override Memory<T> Memory => Current() is { } buffer ? buffer.Memory : default;

    /// <inheritdoc/>
    internal override Span<T> GetSpan() => Current() is { } buffer ? buffer.GetSpan() : default;

    /// <inheritdoc/>
    internal override void Write(int start, ReadOnlySpan<T> source)
    {
        if (Current() is { } buffer)
        {
            using MemoryHandle pin = buffer.Pin();
            source.CopyTo(buffer.GetSpan()[start..]);
        }
    }

    /// <inheritdoc/>
    internal override void Clear(int start, int length)
    {
        if (Current() is { } buffer)
        {
            using MemoryHandle pin = buffer.Pin();
            buffer.GetSpan().Slice(start, length).Clear();
        }
    }

    /// <inheritdoc/>
    internal override void Grow(int length)
    {
        NativeBuffer<T>? buffer = Current();
        if (buffer is not null && buffer.TryResize(length))
        {
            return;
        }

        // There is none yet, it is pinned, or there is no memory: then this throws the exception that says so.
        NativeBuffer<T> longer = heap.Rent<T>(length);
        bool isKept = false;
        try
        {
            if (buffer is not null)
            {
                // A disposal that comes between may not free what is copied.
                using MemoryHandle pin = buffer.Pin();
                buffer.GetSpan().CopyTo(longer.GetSpan());
            }

            isKept = Interlocked.CompareExchange(ref _buffer, longer, buffer) == buffer && Volatile.Read(ref _isDisposed) == 0;
        }
        finally
        {
            if (!isKept)
            {
                longer.Dispose();
            }
        }

        buffer?.Dispose();
        if (!isKept)
        {
            WriterThrow.Disposed(nameof(PooledWriter<>));
        }
    }

    /// <inheritdoc/>
    internal override IMemoryOwner<T> Detach(int count)
    {
        NativeBuffer<T>? buffer = Current();
        if (buffer is null)
        {
            return BufferPool<T>.Shared.LeaseMemory(0);
        }

        DetachedBuffer<T> owner = new(buffer, count);
        if (Interlocked.CompareExchange(ref _buffer, null, buffer) != buffer)
        {
            WriterThrow.Disposed(nameof(PooledWriter<>));
        }

        return owner;
    }

    /// <inheritdoc/>
    internal override void Dispose()
    {
        Interlocked.Exchange(ref _isDisposed, 1);
        Interlocked.Exchange(ref _buffer, null)?.Dispose();
    }

    /// <summary>The buffer, which is read first: a disposal says so before it takes the buffer.</summary>
    private NativeBuffer<T>? Current()
    {
        NativeBuffer<T>? buffer = Volatile.Read(ref _buffer);
        if (Volatile.Read(ref _isDisposed) != 0)
        {
            WriterThrow.Disposed(nameof(PooledWriter<>));
        }

        return buffer;
    }
}
