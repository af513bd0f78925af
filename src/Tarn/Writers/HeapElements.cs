using System.Buffers;
using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>
/// Elements in one buffer of a <see cref="NativeHeap"/>, for a writer, whose elements may be of any type as far as the compiler knows.
/// </summary>
/// <remarks>The lifetime is that of the buffer of bytes, which only this object knows.</remarks>
internal sealed unsafe class HeapElements<T> : MemoryManager<T>
{
    private readonly NativeBuffer<byte> _bytes;

    /// <param name="heap">The heap that allocates the block.</param>
    /// <param name="length">The number of elements. T contains no references.</param>
    internal HeapElements(NativeHeap heap, int length) => _bytes = heap.AllocateBuffer<byte>(SizeOf(length));

    /// <inheritdoc/>
    public override Memory<T> Memory => CreateMemory(GetSpan().Length);

    /// <inheritdoc/>
    public override Span<T> GetSpan() => _bytes.GetElements<T>();

    /// <inheritdoc/>
    public override MemoryHandle Pin(int elementIndex = 0)
    {
        // Pinned, the length stays as it is.
        byte* first = _bytes.PinAt(0, nameof(elementIndex));
        int length = _bytes.GetElements<T>().Length;
        if ((uint)elementIndex > (uint)length)
        {
            _bytes.Unpin();
            Throw.Outside(nameof(elementIndex), elementIndex, length);
        }

        return new MemoryHandle(first + ((nint)elementIndex * Unsafe.SizeOf<T>()), pinnable: _bytes);
    }

    /// <inheritdoc/>
    public override void Unpin() => _bytes.Unpin();

    /// <inheritdoc cref="NativeBuffer{T}.TryResize"/>
    internal bool TryResize(int length) => _bytes.TryResize(SizeOf(length));

    /// <inheritdoc cref="NativeBuffer{T}.Dispose()"/>
    internal void Free() => _bytes.Dispose();

    /// <inheritdoc/>
    protected override void Dispose(bool disposing) => Free();

    /// <summary>The bytes of some elements. Both factors are below 2^31, so this cannot overflow.</summary>
    private static long SizeOf(int length) => (long)length * Unsafe.SizeOf<T>();
}
