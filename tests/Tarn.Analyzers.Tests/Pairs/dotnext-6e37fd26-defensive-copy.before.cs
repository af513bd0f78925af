// dotnet/dotNext, commit 6e37fd266 "Fixed struct defensive copy" (ArrayBuffer<T>).
// A mutable owner was held in a readonly field, so Dispose worked on a copy that the compiler made: the field went on
// owning an array that had been returned. The fix takes the readonly away.
using System;
using System.Buffers;

[AttributeUsage(AttributeTargets.Struct)]
internal sealed class NonCopyableAttribute : Attribute
{
}

[NonCopyable]
internal struct OwnedMemory<T> : IDisposable
{
    private T[]? _array;

    internal OwnedMemory(int length) => _array = ArrayPool<T>.Shared.Rent(length);

    internal readonly Memory<T> Memory => _array;

    public void Dispose()
    {
        T[]? array = _array;
        this = default;
        if (array is not null)
        {
            ArrayPool<T>.Shared.Return(array);
        }
    }
}

internal struct ArrayBuffer<T> : IDisposable
    where T : unmanaged
{
    private readonly OwnedMemory<T> _buffer;

    internal ArrayBuffer(int length) => _buffer = new OwnedMemory<T>(length);

    internal readonly Span<T> Span => _buffer.Memory.Span;

    public void Dispose() => _buffer.Dispose(); // expect TARN014
}
