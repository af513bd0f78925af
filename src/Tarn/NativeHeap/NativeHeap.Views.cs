using System.Diagnostics;

namespace Tarn;

/// <summary>Blocks as memory of .NET, and blocks that are freed together.</summary>
public sealed unsafe partial class NativeHeap
{
    private readonly LeakSampling _bufferLeaks;

    /// <summary>Opens a scope: what is allocated through it is freed together when it is disposed.</summary>
    /// <returns>The scope; the caller owns it and disposes it before the heap. It takes memory with the first allocation.</returns>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    public NativeScope CreateScope()
    {
        ObjectDisposedException.ThrowIf(IsDisposed, this);
        return new NativeScope(this, each: IsChecked);
    }

    /// <summary>Gives out a block as <see cref="Memory{T}"/>, span, stream and more, contents undefined.</summary>
    /// <param name="length">The length in bytes, 0 or more.</param>
    /// <returns>The buffer; the caller owns it and disposes it before the heap.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative.</exception>
    /// <exception cref="OutOfMemoryException">There is no such block.</exception>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    public NativeBuffer Rent(int length) => Rent((long)length);

    /// <inheritdoc cref="Rent(int)"/>
    public NativeBuffer Rent(long length)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        return new NativeBuffer(this, length, isZeroed: false);
    }

    /// <summary>As <see cref="Rent(long)"/>, every byte 0.</summary>
    /// <param name="length">The length in bytes, 0 or more.</param>
    /// <returns>The buffer; the caller owns it and disposes it before the heap.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative.</exception>
    /// <exception cref="OutOfMemoryException">There is no such block.</exception>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    public NativeBuffer RentZeroed(long length)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        return new NativeBuffer(this, length, isZeroed: true);
    }

    /// <summary>The current stack, if the loss of the buffer rented now is to be reported; else null.</summary>
    internal StackTrace? CaptureRent() => _bufferLeaks.PicksNext() ? CallStack.Capture() : null;

    /// <summary>Tells of a buffer that was forgotten. Not for the finalizer thread: listeners run here.</summary>
    /// <param name="size">The buffer's size in bytes.</param>
    /// <param name="rentedAt">What <see cref="CaptureRent"/> gave; nothing is reported of a buffer that was not tracked.</param>
    internal void ReportForgotten(nuint size, StackTrace? rentedAt)
    {
        if (rentedAt is not null)
        {
            BufferDiagnostics.Report(BufferIncident.Of(BufferIncidentKind.Leak, Name, (long)size, rentedAt, returnedAt: null));
        }
    }
}
