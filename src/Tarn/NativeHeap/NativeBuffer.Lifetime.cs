using System.Buffers;
using System.Diagnostics.CodeAnalysis;

namespace Tarn;

/// <summary>How long a buffer's block lives: pins, disposal and what becomes of a forgotten one.</summary>
/// <remarks>The block is freed when the buffer is disposed and no pin is left (<see cref="PinCount"/>).</remarks>
public sealed unsafe partial class NativeBuffer
{
    private PinCount _pins;
    private bool _wasFinalized;

    /// <summary>The buffer was forgotten, or disposed and a pin of it was.</summary>
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
            // Freeing and reporting both reach event listeners, which are code of the user: not on this thread.
            BufferDiagnostics.RunLater(static buffer => buffer.FreeForgotten(), this);
        }
        catch (OutOfMemoryException)
        {
            // An exception here ends the process: the next collection asks anew.
            GC.ReRegisterForFinalize(this);
        }
    }

    /// <summary>Frees the block, or leaves that to the last unpin while the buffer is pinned. A second call does nothing.</summary>
#pragma warning disable CA1816 // the last unpin suppresses it: until then a forgotten pin must be reported
    public void Dispose() => Dispose(disposing: true);
#pragma warning restore CA1816

    /// <summary>Pins the buffer: its block stays until the handle is disposed, whatever becomes of the buffer.</summary>
    /// <param name="elementIndex">The byte to point at, 0 to the buffer's length.</param>
    /// <returns>
    /// A handle to be disposed once. If it is forgotten instead, the block is never freed: native code may still use it.
    /// </returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="elementIndex"/> lies outside the buffer.</exception>
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

    /// <summary>Takes one pin back; <see cref="MemoryHandle.Dispose"/> calls it.</summary>
    /// <exception cref="InvalidOperationException">The buffer is not pinned.</exception>
    public override void Unpin()
    {
        if (_pins.Unpin())
        {
            Free();
        }
    }

    /// <summary>Pins the buffer; <see cref="Unpin"/> takes the pin back.</summary>
    /// <param name="offset">A place in the buffer that the caller has verified.</param>
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
        if (!_heap.IsDisposed)
        {
            _heap.Free(_pointer, BlockSizeFor(_length));
        }
    }

    private void FreeForgotten()
    {
        if (_heap.IsDisposed)
        {
            // The heap reported its blocks when it was disposed, and freed this one with them.
            return;
        }

        // Reported first: freeing may find more to complain of, and a pinned buffer is lost without being freed.
        _heap.ReportForgotten((nuint)_length, _rentedAt);
        try
        {
            Dispose(disposing: false);
        }
#pragma warning disable CA1031 // a check that finds fault with the block has reported that; nobody is there to catch it
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
