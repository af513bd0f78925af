using System.Diagnostics;

namespace Tarn.Native;

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

    /// <summary>Allocates a block for elements of a type and wraps it as their owner.</summary>
    /// <typeparam name="T">A type that contains no references.</typeparam>
    /// <param name="length">The number of elements, 0 or more, also above <see cref="int.MaxValue"/>.</param>
    /// <param name="options">
    /// The alignment, whether the elements are zero, whether they lie in huge pages. Null, the default, aligns the first element to 64
    /// bytes, which suits every vector and Arrow, and leaves the contents undefined.
    /// </param>
    /// <returns>The buffer. The caller owns it and must dispose it before the heap.</returns>
    /// <exception cref="ArgumentOutOfRangeException">
    /// <paramref name="length"/> is negative, or the alignment is not a power of two or is more than 2 MiB.
    /// </exception>
    /// <exception cref="OutOfMemoryException">The operating system has no memory left, or no block that large.</exception>
    /// <exception cref="ObjectDisposedException">The heap was disposed.</exception>
    public NativeBuffer<T> AllocateBuffer<T>(long length, NativeBufferOptions? options = null)
        where T : unmanaged
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        if (options is null)
        {
            return new NativeBuffer<T>(this, length, NativeBufferOptions.DefaultAlignment, isZeroed: false);
        }

        NativeBufferOptions.VerifyAlignment(options.Alignment, nameof(options));
        return new NativeBuffer<T>(this, length, options.BlockAlignment, options.Zeroed);
    }

    /// <summary>Captures the current stack if a leak of the buffer allocated now is to be reported; otherwise null.</summary>
    internal StackTrace? CaptureAllocation() => _bufferLeaks.PicksNext() ? CallStack.Capture() : null;

    /// <summary>Reports a forgotten buffer. Do not call it on the finalizer thread, because it runs listeners.</summary>
    /// <param name="size">The buffer's size in bytes.</param>
    /// <param name="allocatedAt">The result of <see cref="CaptureAllocation"/>. A buffer without one is not reported.</param>
    internal void ReportForgotten(nuint size, StackTrace? allocatedAt)
    {
        if (allocatedAt is not null)
        {
            BufferDiagnostics.Report(BufferIncident.Of(BufferIncidentKind.Leak, Name, (long)size, allocatedAt, returnedAt: null));
        }
    }
}
