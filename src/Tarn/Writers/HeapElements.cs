using System.Buffers;
using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>
/// Elements in one buffer of a <see cref="NativeHeap"/>, for a writer, whose elements may be of any type as far as the compiler knows.
/// </summary>
/// <remarks>
/// The lifetime is that of the buffer of bytes, which only this object knows. Where the elements count in a budget, each call that may have
/// ended the buffer asks whether it has, and then returns what was taken.
/// </remarks>
internal sealed unsafe class HeapElements<T> : MemoryManager<T>
{
    private readonly NativeBuffer<byte> _bytes;
    private readonly BufferBudget? _budget;

    /// <summary>The bytes of the elements, taken from the budget; null without one.</summary>
    private readonly BudgetShare? _share;

    /// <param name="heap">The heap that allocates the block.</param>
    /// <param name="length">The number of elements. T contains no references.</param>
    /// <param name="budget">The budget that the elements count in; null for none.</param>
    /// <param name="held">The bytes that the owner keeps until it has these, for the exception.</param>
    /// <exception cref="BufferBudgetExceededException">The budget or the heap's has no room; nothing was taken.</exception>
    /// <exception cref="OutOfMemoryException">There is not enough memory; nothing was taken.</exception>
    internal HeapElements(NativeHeap heap, int length, BufferBudget? budget, long held)
    {
        if (budget is null)
        {
            _bytes = heap.AllocateBuffer<byte>(SizeOf(length));
            return;
        }

        long size = SizeOf(length);
        (_budget, _share) = (budget, new BudgetShare(budget, 0));
        BudgetCredit.Take(budget, size, new BudgetTerms { Held = held });
        try
        {
            _bytes = heap.AllocateBuffer<byte>(size);
        }
        catch
        {
            BudgetCredit.Return(budget, size);
            throw;
        }

        _share.Add(size);
    }

    /// <summary>The bytes of all elements.</summary>
    /// <exception cref="ObjectDisposedException">The buffer or the heap was disposed.</exception>
    internal long Size => _bytes.Length;

    /// <inheritdoc/>
    public override Memory<T> Memory => CreateMemory(GetSpan().Length);

    /// <inheritdoc/>
    public override Span<T> GetSpan() => _bytes.GetElements<T>();

    /// <inheritdoc/>
    public override MemoryHandle Pin(int elementIndex = 0)
    {
        try
        {
            byte* element = _bytes.PinAt(elementIndex, Unsafe.SizeOf<T>(), nameof(elementIndex));
            return new MemoryHandle(element, pinnable: _share is null ? _bytes : this);
        }
        catch
        {
            // A refused index has taken its pin back, and it may have been the last one.
            ReturnIfOver();
            throw;
        }
    }

    /// <inheritdoc/>
    public override void Unpin()
    {
        try
        {
            _bytes.Unpin();
        }
        finally
        {
            ReturnIfOver();
        }
    }

    /// <summary>Gives the buffer another length, more than it has, as <see cref="NativeBuffer{T}.TryResize"/> does.</summary>
    /// <exception cref="BufferBudgetExceededException">The budget has no room; nothing has changed.</exception>
    internal bool TryResize(int length)
    {
        if (_share is null)
        {
            return _bytes.TryResize(SizeOf(length));
        }

        long held = Size;
        long more = SizeOf(length) - held;
        bool isResized = false;
        BudgetCredit.Take(_budget!, more, new BudgetTerms { Held = held });
        try
        {
            isResized = _bytes.TryResize(SizeOf(length));
        }
        finally
        {
            if (isResized)
            {
                _share.Add(more);
            }
            else
            {
                BudgetCredit.Return(_budget!, more);
            }

            // A disposal that came between left the end to this call.
            ReturnIfOver();
        }

        return isResized;
    }

    /// <inheritdoc cref="NativeBuffer{T}.Dispose()"/>
    internal void Free()
    {
        try
        {
            _bytes.Dispose();
        }
        finally
        {
            ReturnIfOver();
        }
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing) => Free();

    /// <summary>The bytes of some elements. Both factors are below 2^31, so this cannot overflow.</summary>
    internal static long SizeOf(int length) => (long)length * Unsafe.SizeOf<T>();

    private void ReturnIfOver()
    {
        if (_share is not null && _bytes.IsOver)
        {
            _share.Return();
        }
    }
}
