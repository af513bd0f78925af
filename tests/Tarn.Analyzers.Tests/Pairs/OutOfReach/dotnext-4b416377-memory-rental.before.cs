// dotnet/dotNext, commit 4b416377d "Avoid releasing buffer twice" (MemoryRental<T>).
// A readonly ref struct could not forget its array, so a second Dispose of the same variable returned it again.
// The fix makes the struct mutable and resets it once it has given the array back.
using System;
using System.Buffers;
using System.Runtime.CompilerServices;

internal readonly ref struct Rental<T>
{
    private readonly object? _owner;
    private readonly Span<T> _memory;

    internal Rental(Span<T> memory)
    {
        _memory = memory;
        _owner = null;
    }

    internal Rental(int length)
    {
        T[] owner = ArrayPool<T>.Shared.Rent(length);
        _memory = owner.AsSpan(0, length);
        _owner = owner;
    }

    internal Rental(MemoryPool<T> pool, int length)
    {
        IMemoryOwner<T> owner = pool.Rent(length);
        _memory = owner.Memory.Span.Slice(0, length);
        _owner = owner;
    }

    internal Span<T> Span => _memory;

    public void Dispose()
    {
        switch (_owner)
        {
            case IDisposable disposable:
                disposable.Dispose();
                break;
            case T[] array:
                ArrayPool<T>.Shared.Return(array, RuntimeHelpers.IsReferenceOrContainsReferences<T>()); // a reader sees TARN005
                break;
        }
    }
}
