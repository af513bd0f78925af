// dotnet/dotNext, commit 76bfb86f4 "Use safe version of MO<T>.Dispose" (MemoryOwner<T>).
// The owner was a readonly struct whose Dispose returned its array each time it was called. The fix makes it a mutable
// struct that is empty after Dispose.
using System;
using System.Buffers;
using System.Runtime.CompilerServices;

internal struct PooledMemory<T> : IMemoryOwner<T>
{
    private readonly ArrayPool<T>? _pool;
    private readonly T[]? _array;
    private readonly int _length;

    internal PooledMemory(ArrayPool<T> pool, int length)
    {
        _pool = pool;
        _array = pool.Rent(length);
        _length = length;
    }

    public readonly Memory<T> Memory => new(_array, 0, _length);

    public void Dispose()
    {
        if (_pool is not null && _array is not null)
        {
            _pool.Return(_array, RuntimeHelpers.IsReferenceOrContainsReferences<T>());
        }

        this = default;
    }
}
