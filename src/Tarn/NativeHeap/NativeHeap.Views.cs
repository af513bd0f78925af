using System.Diagnostics;

namespace Tarn;

/// <summary>Blocks as .NET memory, and blocks that are freed together.</summary>
public sealed unsafe partial class NativeHeap
{
    private readonly LeakSampling _bufferLeaks;

    /// <summary>Creates a scope, which frees everything allocated through it when it is disposed.</summary>
    /// <returns>The scope. The caller owns it and must dispose it before the heap. It takes memory on its first allocation.</returns>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    public NativeScope CreateScope()
    {
        ObjectDisposedException.ThrowIf(IsDisposed, this);
        return new NativeScope(this, each: IsChecked);
    }

    /// <summary>Allocates a block and wraps it as <see cref="Memory{T}"/>, span, sequence or stream, contents undefined.</summary>
    /// <param name="length">The length in bytes, 0 or more.</param>
    /// <returns>The buffer. The caller owns it and must dispose it before the heap.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative.</exception>
    /// <exception cref="OutOfMemoryException">The operating system has no memory left, or no block that large.</exception>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    public NativeBuffer Rent(int length) => Rent((long)length);

    /// <inheritdoc cref="Rent(int)"/>
    public NativeBuffer Rent(long length)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        return new NativeBuffer(this, length, isZeroed: false);
    }

    /// <summary>Allocates a block as <see cref="Rent(long)"/> does, with every byte 0.</summary>
    /// <param name="length">The length in bytes, 0 or more.</param>
    /// <returns>The buffer. The caller owns it and must dispose it before the heap.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative.</exception>
    /// <exception cref="OutOfMemoryException">The operating system has no memory left, or no block that large.</exception>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    public NativeBuffer RentZeroed(long length)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        return new NativeBuffer(this, length, isZeroed: true);
    }

    /// <summary>Allocates a block for elements of a type, contents undefined, and wraps it as their owner.</summary>
    /// <typeparam name="T">A type that contains no references.</typeparam>
    /// <param name="length">The number of elements, 0 or more.</param>
    /// <param name="alignment">
    /// The alignment of the first element, in bytes: a power of two up to 2 MiB. The default, 64, suits every vector and Arrow.
    /// </param>
    /// <returns>The buffer. The caller owns it and must dispose it before the heap.</returns>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="length"/> is negative, or <paramref name="alignment"/> is not a power of two or is more than 2 MiB.
    /// </exception>
    /// <exception cref="OutOfMemoryException">The operating system has no memory left, or no block that large.</exception>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    public NativeBuffer<T> Rent<T>(int length, int alignment = NativeBufferOptions.DefaultAlignment)
        where T : unmanaged
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        NativeBufferOptions.VerifyAlignment(alignment, nameof(alignment));
        return new NativeBuffer<T>(this, length, (nuint)alignment, isZeroed: false);
    }

    /// <summary>Allocates a block for elements of a type, as options say, and wraps it as their owner.</summary>
    /// <typeparam name="T">A type that contains no references.</typeparam>
    /// <param name="length">The number of elements, 0 or more.</param>
    /// <param name="options">The alignment, whether the elements are zero, whether they lie in huge pages.</param>
    /// <returns>The buffer. The caller owns it and must dispose it before the heap.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="options"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="length"/> is negative, or the alignment is not a power of two or is more than 2 MiB.
    /// </exception>
    /// <exception cref="OutOfMemoryException">The operating system has no memory left, or no block that large.</exception>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    public NativeBuffer<T> Rent<T>(int length, NativeBufferOptions options)
        where T : unmanaged
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        ArgumentNullException.ThrowIfNull(options);
        NativeBufferOptions.VerifyAlignment(options.Alignment, nameof(options));
        return new NativeBuffer<T>(this, length, options.BlockAlignment, options.Zeroed);
    }

    /// <summary>Captures the current stack if a leak of the buffer rented now is to be reported; otherwise null.</summary>
    internal StackTrace? CaptureRent() => _bufferLeaks.PicksNext() ? CallStack.Capture() : null;

    /// <summary>Reports a forgotten buffer. Do not call it on the finalizer thread, because it runs listeners.</summary>
    /// <param name="size">The buffer's size in bytes.</param>
    /// <param name="rentedAt">The result of <see cref="CaptureRent"/>. A buffer without one is not tracked and not reported.</param>
    internal void ReportForgotten(nuint size, StackTrace? rentedAt)
    {
        if (rentedAt is not null)
        {
            BufferDiagnostics.Report(BufferIncident.Of(BufferIncidentKind.Leak, Name, (long)size, rentedAt, returnedAt: null));
        }
    }
}
