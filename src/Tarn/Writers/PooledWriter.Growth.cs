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

    private HeapContents<T> GetNative()
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
        int room = MakeRoom(sizeHint);
        return Part(_count, room);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private Memory<T> GetMemorySlow(int sizeHint)
    {
        int room = MakeRoom(sizeHint);
        return MemoryPart(_count, room);
    }

    /// <summary>Refuses an advance, unless it is that of a writer of native memory.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void AdvanceSlow(int count)
    {
        int room = Length - _count;
        if ((uint)count > (uint)room)
        {
            WriterThrow.PastRoom(count, room);
        }

        ThrowIfTooMany(count);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WriteSlow(T value) => WriteSlow(new ReadOnlySpan<T>(in value));

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void WriteSlow(ReadOnlySpan<T> source)
    {
        ThrowIfDisposed();
        ThrowIfTooMany(source.Length);
        if (_native is { } native)
        {
            WriteNative(native, source);
            return;
        }

        // The source may be a part of the array that is replaced, so that goes back last.
        T[] replaced = GrowArray(source.Length, source);
        _count += source.Length;
        GiveBack(replaced);
    }

    private void WriteNative(HeapContents<T> native, ReadOnlySpan<T> source)
    {
        if (source.Length > _limit - _count)
        {
            // The source may be a part of the contents, which may move.
            bool moves = native.GetSpan().Overlaps(source, out int offset);
            GrowNative(native, source.Length);
            source = moves ? native.GetSpan().Slice(offset, source.Length) : source;
        }

        native.Write(_count, source);
        _count += source.Length;
    }

    /// <summary>Grows the buffer if it lacks room for a request, which may be more than the writer may hold.</summary>
    /// <returns>The room: as much as the writer may hold, unless the request is for more.</returns>
    private int MakeRoom(int sizeHint)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(sizeHint);
        int more = Math.Max(sizeHint, 1);
        if (more > Length - _count)
        {
            Grow(more);
        }

        return more <= _limit - _count ? _limit - _count : Length - _count;
    }

    /// <summary>The length of the buffer, which may be more than the writer may hold.</summary>
    private int Length => _array is { } array ? array.Length : GetNative().GetSpan().Length;

    private void ThrowIfTooMany(int more)
    {
        if (more > _maxCount - _count)
        {
            WriterThrow.TooMany(_count, more, _maxCount);
        }
    }

    private void Grow(int more)
    {
        if (_native is not null)
        {
            GrowNative(_native, more);
        }
        else
        {
            GiveBack(GrowArray(more, added: default));
        }
    }

    /// <summary>The length of a buffer with room for more: twice that of the present one, unless that is more than the maximum.</summary>
    /// <exception cref="InvalidOperationException">No buffer is as long.</exception>
    private int LengthFor(int more)
    {
        if (more > Array.MaxLength - _count)
        {
            WriterThrow.TooMany(_count, more, Array.MaxLength);
        }

        return (int)Math.Max(_count + (long)more, Math.Min(Math.Max(2L * _limit, LeastLength), _maxCount));
    }

    private void GrowNative(HeapContents<T> native, int more)
    {
        int wanted = LengthFor(more);
        _limit = Math.Min(native.Grow(_count + more, wanted), _maxCount);
    }

    /// <summary>Replaces the array by a longer one, with elements added that follow the written ones.</summary>
    /// <remarks>All is copied before the array takes its place, so nothing is left to do that a disposal could come between.</remarks>
    /// <returns>The array before, which still holds the contents and which the caller returns.</returns>
    private T[] GrowArray(int more, ReadOnlySpan<T> added)
    {
        T[] array = GetArray();
        int wanted = LengthFor(more);
        T[] longer = Rent(_count + more, wanted, array.Length);
        new ReadOnlySpan<T>(array, 0, _count).CopyTo(longer);
        added.CopyTo(new Span<T>(longer, _count, more));
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
        BudgetShare? share = _budgeted?.CreateShare();
        LeasedMemory<T> owner = share is null ? LeasedMemory<T>.Create(_pool) : LeasedMemory<T>.Create(_pool, share);
        if (Interlocked.CompareExchange(ref _array, [], array) != array)
        {
            WriterThrow.Disposed(nameof(PooledWriter<>));
        }

        if (RuntimeHelpers.IsReferenceOrContainsReferences<T>())
        {
            Array.Clear(array, _count, array.Length - _count);
        }

        share?.Add(BudgetedArrays<T>.SizeOf(array.Length));
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

    /// <summary>Rents an array: where a budget has too little room, of fewer elements than are wanted, down to those needed.</summary>
    private T[] Rent(int needed, int wanted, int held) =>
        _budgeted is null ? _pool.Rent(wanted) : _budgeted.Rent(needed, wanted, held);

    private void GiveBack(T[]? array)
    {
        if (array is not { Length: > 0 })
        {
            return;
        }

        if (_budgeted is null)
        {
            _pool.Return(array, clearArray: RuntimeHelpers.IsReferenceOrContainsReferences<T>());
        }
        else
        {
            _budgeted.TakeBack(array);
        }
    }
}
