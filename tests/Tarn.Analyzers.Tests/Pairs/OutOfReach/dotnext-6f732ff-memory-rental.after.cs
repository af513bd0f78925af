// dotnet/dotNext (sakno/dotNext), commit 6f732ff6: the rental was a readonly ref struct, which cannot forget its array, so a second disposal
// returned it again. The fix drops readonly and resets the struct.
using System;
using System.Buffers;
using System.Runtime.CompilerServices;

internal ref struct MemoryRental<T>
{
    private readonly object? _owner;
    private readonly Span<T> _memory;

    public MemoryRental(Span<T> span)
    {
        _memory = span;
        _owner = null;
    }

    public MemoryRental(MemoryPool<T> pool, int minimumLength, bool isExact = true)
    {
        var owner = pool.Rent(minimumLength);
        _memory = owner.Memory.Span;
        if (isExact)
        {
            _memory = _memory.Slice(0, minimumLength);
        }

        _owner = owner;
    }

    public MemoryRental(int minimumLength, bool isExact = true)
    {
        var owner = ArrayPool<T>.Shared.Rent(minimumLength);
        _memory = isExact ? owner.AsSpan(0, minimumLength) : new(owner);
        _owner = owner;
    }

    public readonly Span<T> Span => _memory;

    public readonly int Length => _memory.Length;

    public readonly ref T this[int index] => ref _memory[index];

    public void Dispose()
    {
        switch (_owner)
        {
            case IDisposable disposable:
                disposable.Dispose();
                break;
            case T[] array:
                ArrayPool<T>.Shared.Return(array, RuntimeHelpers.IsReferenceOrContainsReferences<T>());
                break;
        }

        this = default;
    }
}
