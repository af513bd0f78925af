using System.Buffers;
using System.Diagnostics.CodeAnalysis;

namespace Tarn.Native;

/// <summary>The lifetime of a buffer's block: pins, disposal and finalization.</summary>
/// <remarks>The block is freed when the buffer is disposed and no pin is left (<see cref="PinCount"/>).</remarks>
public sealed unsafe partial class NativeBuffer<T>
{
    private PinCount _pins;
    private bool _wasFinalized;

    /// <summary>Whether the buffer was disposed and no pin is left, so that its block is freed, or is at this moment.</summary>
    internal bool IsOver => _pins.IsOver;

    /// <summary>Frees the block of a forgotten buffer, or of a disposed buffer with a forgotten pin.</summary>
#pragma warning disable CA2015 // a span keeps nothing alive, as the documentation says; the alternative is to lose the memory forever
    ~NativeBuffer()
#pragma warning restore CA2015
    {
        if (_pointer == null || _pins.IsOver || Environment.HasShutdownStarted)
        {
            return;
        }

        if (Finalization.TryPutOff(this, ref _wasFinalized))
        {
            return;
        }

        try
        {
            // Freeing and reporting both call event listeners, which are user code and must not run on this thread.
            BufferDiagnostics.RunLater(static buffer => buffer.FreeForgotten(), this);
        }
        catch (OutOfMemoryException)
        {
            // An exception here would end the process. The next collection tries again.
            GC.ReRegisterForFinalize(this);
        }
    }

    /// <summary>Frees the block. If the buffer is pinned, the last unpin frees it. A second call does nothing.</summary>
#pragma warning disable CA1816 // the last unpin suppresses it: until then a forgotten pin must be reported
    public void Dispose() => Dispose(disposing: true);
#pragma warning restore CA1816

    /// <summary>
    /// Pins the buffer: its block stays allocated and in its place until the handle is disposed, even if the buffer is disposed first.
    /// </summary>
    /// <param name="elementIndex">The index of the element to point at, from 0 to the buffer's length.</param>
    /// <returns>A handle. Dispose it once. If it is forgotten, the block is never freed, because native code may still use it.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="elementIndex"/> is outside the buffer.</exception>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
    public override MemoryHandle Pin(int elementIndex = 0) =>
        new(PinAt(elementIndex, nameof(elementIndex)), pinnable: this);

    /// <summary>Removes one pin. <see cref="MemoryHandle.Dispose"/> calls this method.</summary>
    /// <exception cref="InvalidOperationException">The buffer is not pinned.</exception>
    public override void Unpin()
    {
        if (_pins.Unpin())
        {
            Free();
        }
    }

    /// <summary>Pins the buffer; <see cref="Unpin"/> removes the pin.</summary>
    /// <param name="index">The index of the element to point at, from 0 to the buffer's length.</param>
    /// <param name="argumentName">The caller's name for the index.</param>
    /// <exception cref="ArgumentOutOfRangeException">The index is outside the buffer, which is not pinned.</exception>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
    internal T* PinAt(long index, string argumentName) => (T*)PinAt(index, sizeof(T), argumentName);

    /// <inheritdoc/>
    byte* ILongMemory.PinAt(long offset) => PinAt(offset, 1, nameof(offset));

    /// <inheritdoc cref="PinAt(long, string)"/>
    /// <remarks>Only a pinned buffer keeps its length, so the pin comes first.</remarks>
    /// <param name="index">The index of the element to point at, from 0 to the buffer's length.</param>
    /// <param name="size">The size of these elements, which may be of another type, in bytes.</param>
    /// <param name="argumentName">The caller's name for the index.</param>
    internal byte* PinAt(long index, int size, string argumentName)
    {
        if (_heap.IsDisposed || !_pins.TryPin())
        {
            ThrowDisposed();
        }

        long length = _length * sizeof(T) / size;
        if ((ulong)index > (ulong)length)
        {
            Unpin();
            Throw.Outside(argumentName, index, length);
        }

        return (byte*)_pointer + (index * size);
    }

    /// <summary>
    /// Gives the buffer another length, in place where the heap can do that. The alignment stays, and so do the elements up to the smaller
    /// of the two lengths. Added elements are undefined, or zero in a buffer that was allocated <see cref="NativeBufferOptions.Zeroed"/>.
    /// </summary>
    /// <param name="length">The new number of elements, 0 or more.</param>
    /// <returns>
    /// False, with nothing changed, when the buffer is pinned or resized by another call, the operating system has no memory left, or the
    /// heap's budget refuses. Otherwise spans and pointers taken before are invalid.
    /// </returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative.</exception>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
    public bool TryResize(long length)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        ThrowIfDisposed();
        if (!_pins.TryHoldAlone())
        {
            ThrowIfDisposed();
            return false;
        }

        try
        {
            // Pins wait for this call, so it waits for nobody.
            using BudgetCredit credit = _heap.NeverWait();
            _pointer = (T*)_heap.ReallocateAligned(_pointer, BlockSizeFor(_length), BlockSizeFor(length), _alignment);
            if (_isZeroed && length > _length)
            {
                BufferCopy.Clear(_pointer + _length, (nuint)((length - _length) * sizeof(T)));
            }

            _length = length;
            return true;
        }
        catch (Exception e) when (e is OutOfMemoryException or BufferBudgetExceededException)
        {
            return false;
        }
        finally
        {
            if (_pins.EndAlone())
            {
                Free();
            }
        }
    }

    private void ThrowIfDisposed()
    {
        if (_pins.IsDisposed || _heap.IsDisposed)
        {
            ThrowDisposed();
        }
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (_pins.Dispose())
        {
            Free();
        }
    }

    private void Free()
    {
#pragma warning disable CA1816 // nothing is left to finalize
        GC.SuppressFinalize(this);
#pragma warning restore CA1816
        try
        {
            if (!_heap.IsDisposed)
            {
                _heap.FreeAligned(_pointer, BlockSizeFor(_length), _alignment);
            }
        }
        catch (ObjectDisposedException) when (_heap.IsDisposed)
        {
            // Another thread disposed the heap, and with it the block, in between.
        }
    }

    private void FreeForgotten()
    {
        if (_heap.IsDisposed)
        {
            // The heap reported and freed its blocks, this one included, when it was disposed.
            return;
        }

        // Report first: freeing may find further misuse, and a pinned buffer is lost without being freed.
        _heap.ReportForgotten((nuint)(_length * sizeof(T)), _allocatedAt);
        try
        {
            Dispose(disposing: false);
        }
#pragma warning disable CA1031 // a check that found misuse has reported it, and no caller is there to catch the exception
        catch (Exception)
#pragma warning restore CA1031
        {
        }
    }

    [DoesNotReturn]
    private static void ThrowDisposed() =>
        throw new ObjectDisposedException(
            nameof(NativeBuffer<>), "The buffer or its heap was disposed, and the memory is gone: allocate another buffer.");
}
