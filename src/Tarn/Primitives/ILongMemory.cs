namespace Tarn;

/// <summary>Memory that may be longer than one <see cref="Memory{T}"/>. A <see cref="MemoryWindow"/> exposes parts of it.</summary>
internal unsafe interface ILongMemory
{
    /// <summary>Returns a part of the memory.</summary>
    /// <exception cref="ObjectDisposedException">The memory was disposed.</exception>
    Span<byte> GetSpan(long offset, int length);

    /// <summary>Pins the memory until <see cref="Unpin"/>; returns the address of one of its bytes.</summary>
    /// <param name="offset">An offset in the memory that the caller has verified.</param>
    /// <exception cref="ObjectDisposedException">The memory was disposed.</exception>
    byte* PinAt(long offset);

    /// <summary>Removes one pin.</summary>
    void Unpin();
}
