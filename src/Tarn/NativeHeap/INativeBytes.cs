namespace Tarn.Native;

/// <summary>The bytes of a <see cref="NativeBuffer{T}"/>, whatever its elements are.</summary>
internal interface INativeBytes : ILongMemory
{
    /// <summary>The length in bytes.</summary>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
    long ByteLength { get; }

    /// <summary>The length in bytes, while the caller has a pin.</summary>
    long PinnedByteLength { get; }

    /// <summary>Returns a part of the bytes as a memory that keeps the buffer alive.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The part is not inside the buffer.</exception>
    /// <exception cref="ObjectDisposedException">The buffer or its heap was disposed.</exception>
    Memory<byte> GetBytes(long offset, int length);
}
