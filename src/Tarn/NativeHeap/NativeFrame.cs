using System.Diagnostics.CodeAnalysis;

namespace Tarn.Native;

/// <summary>
/// The part of a <see cref="NativeScope"/> that one method uses: it frees what was allocated since it was opened when it is disposed, and
/// the compiler keeps its spans inside the method.
/// </summary>
/// <remarks>
/// <code>using NativeFrame frame = scope.CreateFrame();</code>
/// <para>A span from a frame cannot be returned, stored in a field, or assigned to a variable that outlives the frame: that does not
/// compile. To let another method allocate, pass the frame with <see langword="in"/>, or let that method open a frame of its own.</para>
/// <para>Frames of one scope end in the opposite order of their opening, as <see langword="using"/> does it. While a newer one is open, an
/// older one throws. The compiler does not see what else ends a frame: its <see cref="Dispose"/> by hand, and the scope's
/// <see cref="NativeScope.Reset"/> and <see cref="NativeScope.Dispose"/>. Afterwards the frame throws
/// <see cref="ObjectDisposedException"/>, but spans cannot be guarded. What the scope itself allocates while a frame is open ends with the
/// frame.</para>
/// </remarks>
public readonly ref struct NativeFrame : IDisposable
{
    private readonly FramePlace _begin;

    internal NativeFrame(FramePlace begin) => _begin = begin;

    /// <summary>Allocates <paramref name="length"/> elements, contents undefined.</summary>
    /// <typeparam name="T">The element type, aligned as by <see cref="NativeScope.Allocate{T}"/>.</typeparam>
    /// <param name="length">The number of elements; 0 returns an empty span.</param>
    /// <returns>The elements, valid until the frame ends.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative.</exception>
    /// <exception cref="OutOfMemoryException">The heap cannot allocate the block.</exception>
    /// <exception cref="InvalidOperationException">A newer frame of the scope is open.</exception>
    /// <exception cref="ObjectDisposedException">The frame has ended, or is a default instance.</exception>
    [UnscopedRef]
    public Span<T> Allocate<T>(int length)
        where T : unmanaged => GetScope().Allocate<T>(length);

    /// <summary>Allocates <paramref name="length"/> elements, every byte 0.</summary>
    /// <inheritdoc cref="Allocate{T}"/>
    [UnscopedRef]
    public Span<T> AllocateZeroed<T>(int length)
        where T : unmanaged => GetScope().AllocateZeroed<T>(length);

    /// <summary>
    /// Frees what was allocated since the frame was opened, and ends newer frames. A second call does nothing, also on a copy.
    /// </summary>
    public void Dispose() => _begin.Scope?.Close(_begin);

    private NativeScope GetScope()
    {
        NativeScope? scope = _begin.Scope;
        ObjectDisposedException.ThrowIf(scope is null, typeof(NativeFrame));
        scope.RequireNewest(_begin);
        return scope;
    }
}
