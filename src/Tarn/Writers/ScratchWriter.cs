using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>A list that begins in stack memory and moves to a pooled buffer when that is full.</summary>
/// <remarks>
/// <code>using ScratchWriter&lt;char&gt; text = new(stackalloc char[256]);</code>
/// <para>A writer of <see cref="char"/> composes text, and one of <see cref="byte"/> text in UTF-8: it takes interpolated strings, and
/// values format themselves in its memory. Writers of other types throw <see cref="NotSupportedException"/> when they are given text.
/// </para>
/// <para>It lives on the stack of one thread. A copy would return a pooled buffer a second time, so pass it by <c>ref</c>. Spans taken from
/// it are valid until the next call that appends. An exception between two calls loses nothing: <see cref="Dispose"/> returns the
/// buffer, after clearing it if its elements contain references.</para>
/// </remarks>
/// <typeparam name="T">The type of the elements.</typeparam>
public ref partial struct ScratchWriter<T>
{
    /// <summary>The least length to rent.</summary>
    private const int LeastLength = 64;

    /// <summary>Null in a default instance and after disposal. The memory is empty then, so calls that append are slow ones.</summary>
    private BufferPool<T>? _pool;
    private Span<T> _memory;
    private T[]? _array;
    private int _count;

    /// <summary>Creates an empty writer that moves to the shared pool.</summary>
    /// <param name="stackMemory">Memory of the caller to begin in, usually <c>stackalloc</c>. It may be empty.</param>
    public ScratchWriter(Span<T> stackMemory)
        : this(stackMemory, BufferPool<T>.Shared)
    {
    }

    /// <summary>Creates an empty writer.</summary>
    /// <param name="stackMemory">Memory of the caller to begin in, usually <c>stackalloc</c>. It may be empty.</param>
    /// <param name="pool">The pool to move to.</param>
    /// <exception cref="ArgumentNullException"><paramref name="pool"/> is null.</exception>
    public ScratchWriter(Span<T> stackMemory, BufferPool<T> pool)
    {
        if (pool is null)
        {
            Throw.ArgumentNull(nameof(pool));
        }

        _memory = stackMemory;
        _pool = pool;
    }

    /// <summary>The number of elements written.</summary>
    public readonly int WrittenCount => _count;

    /// <summary>The elements written, valid until the next call that appends.</summary>
    /// <exception cref="ObjectDisposedException">The writer was disposed, or is a default instance.</exception>
    public readonly Span<T> WrittenSpan
    {
        get
        {
            if (_pool is null)
            {
                WriterThrow.ScratchDisposed();
            }

            return _memory[.._count];
        }
    }

    /// <summary>Whether the elements are in a buffer of the pool.</summary>
    public readonly bool IsPooled => _array is not null;

    /// <summary>Adds one element.</summary>
    /// <param name="item">The element.</param>
    /// <exception cref="OutOfMemoryException">There is not enough memory; the writer is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The writer was disposed, or is a default instance.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Append(T item)
    {
        int count = _count;
        Span<T> memory = _memory;
        if ((uint)count < (uint)memory.Length)
        {
            memory[count] = item;
            _count = count + 1;
            return;
        }

        AppendSlow(item);
    }

    /// <summary>Adds elements.</summary>
    /// <param name="items">The elements, which may be a part of the writer's own.</param>
    /// <exception cref="InvalidOperationException">No array would hold them all; the writer is unchanged.</exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory; the writer is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The writer was disposed, or is a default instance.</exception>
    public void Append(scoped ReadOnlySpan<T> items)
    {
        // The source may be a part of the buffer that is replaced: return that last.
        T[]? replaced = items.Length > _memory.Length - _count || _pool is null ? Grow(items.Length) : null;
        items.CopyTo(_memory[_count..]);
        _count += items.Length;
        GiveBack(replaced);
    }

    /// <summary>Adds elements that the caller writes.</summary>
    /// <param name="length">The number of elements.</param>
    /// <returns>The added elements, contents undefined, valid until the next call that appends. Write all of them.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative.</exception>
    /// <exception cref="InvalidOperationException">No array would hold them all; the writer is unchanged.</exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory; the writer is unchanged.</exception>
    /// <exception cref="ObjectDisposedException">The writer was disposed, or is a default instance.</exception>
    public Span<T> AppendSpan(int length)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        if (length > _memory.Length - _count || _pool is null)
        {
            GiveBack(Grow(length));
        }

        Span<T> added = _memory.Slice(_count, length);
        _count += length;
        return added;
    }

    /// <summary>Drops the elements and keeps the memory.</summary>
    /// <exception cref="ObjectDisposedException">The writer was disposed, or is a default instance.</exception>
    public void Clear()
    {
        if (RuntimeHelpers.IsReferenceOrContainsReferences<T>())
        {
            WrittenSpan.Clear();
        }
        else
        {
            _ = WrittenSpan;
        }

        _count = 0;
    }

    /// <summary>Copies the elements to a new array.</summary>
    /// <returns>The array, of exactly the number of elements.</returns>
    /// <exception cref="ObjectDisposedException">The writer was disposed, or is a default instance.</exception>
    public readonly T[] ToArray() => WrittenSpan.ToArray();

    /// <summary>Returns a pooled buffer. Further calls do nothing.</summary>
    public void Dispose()
    {
        T[]? array = _array;
        if (array is not null)
        {
            BufferPool<T> pool = _pool!;
            this = default;
            pool.Return(array, clearArray: RuntimeHelpers.IsReferenceOrContainsReferences<T>());
            return;
        }

        this = default;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void AppendSlow(T item)
    {
        GiveBack(Grow(1));
        _memory[_count++] = item;
    }

    /// <summary>Moves the elements to a buffer with room for more.</summary>
    /// <returns>The buffer before, if it was the pool's; it still holds the elements. The caller returns it.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private T[]? Grow(int more)
    {
        if (_pool is null)
        {
            WriterThrow.ScratchDisposed();
        }

        if (more > Array.MaxLength - _count)
        {
            WriterThrow.TooMany(_count, more, Array.MaxLength);
        }

        T[] longer = _pool.Rent((int)Math.Min(Math.Max(_count + (long)more, Math.Max(2L * _memory.Length, LeastLength)), Array.MaxLength));
        _memory[.._count].CopyTo(longer);
        T[]? replaced = _array;
        _array = longer;
        _memory = longer;
        return replaced;
    }

    private readonly void GiveBack(T[]? replaced)
    {
        if (replaced is not null)
        {
            _pool!.Return(replaced, clearArray: RuntimeHelpers.IsReferenceOrContainsReferences<T>());
        }
    }
}
