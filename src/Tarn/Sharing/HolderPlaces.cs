using System.Numerics;
using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>A list of words that grows without moving any: each array after the first has as many places as all before it.</summary>
/// <remarks>
/// A thread may read a place while another adds places. The arrays after the first come from a pool, and return to it when the list
/// shrinks, when nobody has a place. Not synchronized otherwise: callers hold the owner's lock. A field of its
/// owner, never copied.
/// </remarks>
internal struct HolderPlaces
{
    /// <summary>The places of the first array, which stays.</summary>
    internal const int First = 8;

    private const int FirstShift = 3;

    /// <summary>Arrays, each twice as long as the one before, up to 2^30 places.</summary>
    private const int MostArrays = 28;

    private readonly long[] _first = new long[First];
    private readonly long[]?[] _later = new long[]?[MostArrays];

    public HolderPlaces()
    {
    }

    /// <summary>The number of places.</summary>
    internal int Count { get; private set; } = First;

    /// <summary>The arrays that places beyond the first few come from. They hold no buffers, so nothing checks them.</summary>
    private static BufferPool<long> Pool { get; } =
        BufferPool<long>.Create(new BufferPoolOptions { Name = "Holders of counted buffers", Checks = BufferChecks.None });

    /// <summary>A place, for any thread that holds one itself, or a null reference if there is no such place.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly ref long At(int place)
    {
        long[] first = _first;
        if ((uint)place < (uint)first.Length)
        {
            return ref first[place];
        }

        return ref AtLater(place);
    }

    /// <summary>Rents the array that a list of <paramref name="count"/> places grows by. It contains zeros.</summary>
    /// <exception cref="OutOfMemoryException">There is no memory for it.</exception>
    internal static long[] RentNext(int count)
    {
        long[] next = Pool.Rent(count);
        Array.Clear(next, 0, count);
        return next;
    }

    /// <summary>Returns an array of <see cref="RentNext"/> that is in no list.</summary>
    internal static void Return(long[] unused) => Pool.Return(unused);

    /// <summary>Adds an array of <see cref="RentNext"/> for the current count.</summary>
    internal void Add(long[] next)
    {
        Volatile.Write(ref _later[ArrayOf(Count)], next);
        Count *= 2;
    }

    /// <summary>Removes the last array, for <see cref="Return"/>; null if only the first is left.</summary>
    internal long[]? RemoveLast()
    {
        if (Count == First)
        {
            return null;
        }

        Count /= 2;
        ref long[]? place = ref _later[ArrayOf(Count)];
        long[]? last = place;
        Volatile.Write(ref place, null);
        return last;
    }

    /// <summary>The number of the array that a place is in, from 0 for the second array.</summary>
    private static int ArrayOf(int place) => BitOperations.Log2((uint)place) - FirstShift;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private readonly ref long AtLater(int place)
    {
        if (place < 0 || Volatile.Read(ref _later[ArrayOf(place)]) is not { } array)
        {
            return ref Unsafe.NullRef<long>();
        }

        // A pooled array may be longer than the list needs; a power of two less its highest bit is the index.
        return ref array[place - (1 << BitOperations.Log2((uint)place))];
    }
}
