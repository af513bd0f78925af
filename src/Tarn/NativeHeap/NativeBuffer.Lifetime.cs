using System.Buffers;
using System.Diagnostics.CodeAnalysis;

namespace Tarn;

/// <summary>The lifetime of a buffer's block: pins, disposal and finalization.</summary>
/// <remarks>The block is freed when the buffer is disposed and no pin is left (<see cref="PinCount"/>).</remarks>
public sealed unsafe partial class NativeBuffer
{
    private PinCount _pins;
    private bool _wasFinalized;

    /// <summary>The length in bytes, while the caller has a pin.</summary>
    internal long PinnedLength => _length;

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

    /// <summary>Pins the buffer: its block stays allocated until the handle is disposed, even if the buffer is disposed first.</summary>
    /// <param name="elementIndex">The index of the byte to point at, from 0 to the buffer's length.</param>
    /// <returns>A handle. Dispose it once. If it is forgotten, the block is never freed, because native code may still use it.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="elementIndex"/> is outside the buffer.</exception>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
    public override MemoryHandle Pin(int elementIndex = 0)
    {
        ThrowIfDisposed();
        if ((ulong)elementIndex > (ulong)_length)
        {
            Throw.Outside(nameof(elementIndex), elementIndex, _length);
        }

        return new MemoryHandle(PinAt(elementIndex), pinnable: this);
    }

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
    /// <param name="offset">An offset in the buffer that the caller has verified.</param>
    internal byte* PinAt(long offset)
    {
        if (_heap.IsDisposed || !_pins.TryPin())
        {
            ThrowDisposed();
        }

        return _pointer + offset;
    }

    /// <inheritdoc/>
    byte* ILongMemory.PinAt(long offset) => PinAt(offset);

    /// <summary>Gives the buffer another length, keeping its contents up to the smaller of the two.</summary>
    /// <param name="length">The new length in bytes, not negative.</param>
    /// <param name="isZeroed">Whether to clear what is added.</param>
    /// <returns>False, with nothing changed, when the buffer is pinned or there is no memory.</returns>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
    internal bool TryResize(long length, bool isZeroed)
    {
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
            _pointer = (byte*)_heap.ReallocateAligned(_pointer, BlockSizeFor(_length), BlockSizeFor(length), _alignment);
            if (isZeroed && length > _length)
            {
                BufferCopy.Clear(_pointer + _length, (nuint)(length - _length));
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

    internal void ThrowIfDisposed()
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
        _heap.ReportForgotten((nuint)_length, _rentedAt);
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
            nameof(NativeBuffer), "The buffer or its heap was disposed, and the memory is gone: rent another buffer.");
}
