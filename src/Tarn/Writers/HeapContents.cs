using System.Buffers;

namespace Tarn;

/// <summary>The memory of a writer in one buffer of a <see cref="NativeHeap"/>, which the heap reallocates when it grows.</summary>
/// <remarks>
/// Only atomic exchanges replace the elements. A disposal says so before it takes them, and a growth asks after it has put some there, so
/// whichever comes last frees them.
/// </remarks>
internal sealed class HeapContents<T>(NativeHeap heap, BufferBudget? budget)
{
    /// <summary>Null before the first growth, after a detachment, and once disposed.</summary>
    private HeapElements<T>? _elements;
    private int _isDisposed;

    /// <summary>All elements that there is room for.</summary>
    /// <exception cref="ObjectDisposedException">The writer or the heap was disposed.</exception>
    internal Memory<T> Memory => Current() is { } elements ? elements.Memory : default;

    /// <inheritdoc cref="Memory"/>
    internal Span<T> GetSpan() => Current() is { } elements ? elements.GetSpan() : default;

    /// <summary>Copies elements to the memory, which a disposal on another thread leaves in place meanwhile.</summary>
    /// <param name="start">The index of the first element's place.</param>
    /// <param name="source">The elements, for which there is room.</param>
    /// <exception cref="ObjectDisposedException">The writer or the heap was disposed; nothing was copied.</exception>
    internal void Write(int start, ReadOnlySpan<T> source)
    {
        if (Current() is { } elements)
        {
            using MemoryHandle pin = elements.Pin();
            source.CopyTo(elements.GetSpan()[start..]);
        }
    }

    /// <summary>Writes default values, as <see cref="Write"/> writes elements.</summary>
    /// <inheritdoc cref="Write" path="/exception"/>
    internal void Clear(int start, int length)
    {
        if (Current() is { } elements)
        {
            using MemoryHandle pin = elements.Pin();
            elements.GetSpan().Slice(start, length).Clear();
        }
    }

    /// <summary>Makes the memory longer, and keeps its elements. Memory and spans taken before are invalid.</summary>
    /// <param name="needed">The least number of elements to have room for, more than there is now.</param>
    /// <param name="wanted">The number of elements to have room for, if the budget of the writer has room for them.</param>
    /// <returns>The number of elements that there is room for then.</returns>
    /// <exception cref="OutOfMemoryException">There is not enough memory; nothing has changed.</exception>
    /// <exception cref="BufferBudgetExceededException">The writer's budget or the heap's refused; nothing has changed.</exception>
    /// <exception cref="ObjectDisposedException">The writer or the heap was disposed.</exception>
    internal int Grow(int needed, int wanted)
    {
        HeapElements<T>? elements = Current();
        long held = budget is null || elements is null ? 0 : elements.Size;
        int length = Fit(needed, wanted, spared: held);
        if (elements is not null && elements.TryResize(length))
        {
            return length;
        }

        // There is none yet, it is pinned, or there is no memory: then this throws the exception that says so.
        length = Fit(needed, wanted, spared: 0);
        HeapElements<T> longer = new(heap, length, budget, held);
        bool isKept = false;
        try
        {
            if (elements is not null)
            {
                // A disposal that comes between may not free what is copied.
                using MemoryHandle pin = elements.Pin();
                elements.GetSpan().CopyTo(longer.GetSpan());
            }

            isKept = Interlocked.CompareExchange(ref _elements, longer, elements) == elements && Volatile.Read(ref _isDisposed) == 0;
        }
        finally
        {
            if (!isKept)
            {
                longer.Free();
            }
        }

        elements?.Free();
        if (!isKept)
        {
            WriterThrow.Disposed(nameof(PooledWriter<>));
        }

        return length;
    }

    /// <summary>Moves the first elements to an owner, and has no memory then.</summary>
    /// <exception cref="ObjectDisposedException">The writer or the heap was disposed.</exception>
    internal IMemoryOwner<T> Detach(int count)
    {
        HeapElements<T>? elements = Current();
        if (elements is null)
        {
            return BufferPool<T>.Shared.LeaseMemory(0);
        }

        DetachedBuffer<T> owner = new(elements, count);
        if (Interlocked.CompareExchange(ref _elements, null, elements) != elements)
        {
            WriterThrow.Disposed(nameof(PooledWriter<>));
        }

        return owner;
    }

    /// <summary>Frees the memory. Further calls do nothing.</summary>
    internal void Dispose()
    {
        Interlocked.Exchange(ref _isDisposed, 1);
        Interlocked.Exchange(ref _elements, null)?.Free();
    }

    /// <summary>The number of elements that the writer's budget has room for, between those needed and those wanted.</summary>
    /// <param name="needed">The least number of elements.</param>
    /// <param name="wanted">The greatest.</param>
    /// <param name="spared">Bytes that are taken already, and of which a growth in place needs no second ones.</param>
    private int Fit(int needed, int wanted, long spared) =>
        budget is null
            ? wanted
            : budget.Fit(needed, wanted, spared, heap, static (_, elements) => HeapElements<T>.SizeOf(elements));

    /// <summary>The buffer, which is read first: a disposal says so before it takes the elements.</summary>
    private HeapElements<T>? Current()
    {
        HeapElements<T>? elements = Volatile.Read(ref _elements);
        if (Volatile.Read(ref _isDisposed) != 0)
        {
            WriterThrow.Disposed(nameof(PooledWriter<>));
        }

        return elements;
    }
}
