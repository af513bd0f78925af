using System.Runtime.CompilerServices;

namespace Tarn;

/// <content>The slow paths: growth, native memory, and what a disposed writer answers.</content>
public sealed partial class PooledWriter<T>
{
    private static int VerifyMaximum(int capacity, int maxCount)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(maxCount);
        maxCount = Math.Min(maxCount, Array.MaxLength);
        if ((uint)capacity > (uint)maxCount)
        {
            Throw.Outside(nameof(capacity), capacity, maxCount);
        }

        return maxCount;
    }

    private void ThrowIfDisposed()
    {
        if (_array is null)
        {
            ThrowUnlessNative();
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void ThrowUnlessNative() => GetNative().GetSpan();

    private NativeContents<T> GetNative()
    {
        if (_native is null)
        {
            WriterThrow.Disposed(nameof(PooledWriter<>));
        }

        return _native;
    }

    /// <summary>A part of the buffer, which may be among the written elements or behind them.</summary>
    private Span<T> Part(int start, int length) =>
        _array is { } array ? new Span<T>(array, start, length) : GetNative().GetSpan().Slice(start, length);

    /// <inheritdoc cref="Part"/>
    private Memory<T> MemoryPart(int start, int length) =>
        _array is { } array ? new Memory<T>(array, start, length) : GetNative().Memory.Slice(start, length);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private Span<T> GetSpanSlow(int sizeHint)
    {
        MakeRoom(sizeHint);
        return Part(_count, _limit - _count);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private Memory<T> GetMemorySlow(int sizeHint)
    {
        MakeRoom(sizeHint);
        return MemoryPart(_count, _limit - _count);
    }

    /// <summary>Refuses an advance, unless it is that of a writer of native memory.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void AdvanceSlow(int count)
    {
        ThrowIfDisposed();
        if ((uint)count > (uint)(_limit - _count))
        {
            WriterThrow.PastRoom(count, _limit - _count);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WriteSlow(T value)
    {
        MakeRoom(1);
        Part(_count, 1)[0] = value;
        _count++;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WriteSlow(ReadOnlySpan<T> source)
    {
        T[]? replaced = null;
        if (source.Length > _limit - _count)
        {
            // The source may be a part of the buffer that is replaced: return an array last, and find native memory where it moved.
            int offset = 0;
            bool moves = _native is { } native && native.GetSpan().Overlaps(source, out offset);
            replaced = Grow(source.Length);
            source = moves ? Part(offset, source.Length) : source;
        }

        source.CopyTo(Part(_count, source.Length));
        _count += source.Length;
        GiveBack(replaced);
    }

    /// <summary>Grows the buffer if it lacks room for a request.</summary>
    private void MakeRoom(int sizeHint)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(sizeHint);
        ThrowIfDisposed();
        int more = Math.Max(sizeHint, 1);
        if (more > _limit - _count)
        {
            GiveBack(Grow(more));
        }
    }

    /// <summary>Makes room for more elements.</summary>
    /// <param name="more">The elements to have room for after the written ones.</param>
    /// <returns>The array before, which still holds the contents and which the caller returns; null in a writer of native memory.</returns>
    private T[]? Grow(int more)
    {
        ThrowIfDisposed();
        if (more > _maxCount - _count)
        {
            WriterThrow.TooMany(_count, more, _maxCount);
        }

        long wanted = Math.Max(_count + (long)more, Math.Max(2L * _limit, LeastLength));
        int length = (int)Math.Min(wanted, _maxCount);
        if (_native is null)
        {
            return GrowArray(length);
        }

        _native.Grow(length);
        _limit = length;
        return null;
    }

    private T[] GrowArray(int length)
    {
        T[] array = GetArray();
        T[] longer = _pool.Rent(length);
        new ReadOnlySpan<T>(array, 0, _count).CopyTo(longer);
        if (Interlocked.CompareExchange(ref _array, longer, array) != array)
        {
            // A disposal came between, and returned the array before.
            GiveBack(longer);
            WriterThrow.Disposed(nameof(PooledWriter<>));
        }

        _limit = Math.Min(longer.Length, _maxCount);
        return array;
    }

    private LeasedMemory<T> DetachArray()
    {
        T[] array = GetArray();
        if (RuntimeHelpers.IsReferenceOrContainsReferences<T>())
        {
            Array.Clear(array, _count, array.Length - _count);
        }

        LeasedMemory<T> owner = LeasedMemory<T>.Create(_pool);
        if (Interlocked.CompareExchange(ref _array, [], array) != array)
        {
            WriterThrow.Disposed(nameof(PooledWriter<>));
        }

        owner.Begin(array, _count);
        return owner;
    }

    private T[] GetArray()
    {
        T[]? array = _array;
        if (array is null)
        {
            WriterThrow.Disposed(nameof(PooledWriter<>));
        }

        return array;
    }

    private void GiveBack(T[]? array)
    {
        if (array is { Length: > 0 })
        {
            _pool.Return(array, clearArray: RuntimeHelpers.IsReferenceOrContainsReferences<T>());
        }
    }
}
