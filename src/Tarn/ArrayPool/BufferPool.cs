using System.Buffers;
using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>A pool of arrays: a drop-in <see cref="ArrayPool{T}"/> that is faster, wastes less, and gives memory back.</summary>
/// <remarks>
/// <para>Purpose: any code that takes an <see cref="ArrayPool{T}"/> takes this one. All members are safe to call from any thread; a
/// buffer may be rented on one thread and returned on another. The caller owns a rented buffer until it returns it, and must not touch
/// it afterwards; <see cref="Lease"/>, <see cref="LeaseMemory"/> and <see cref="Use{TState}(int, TState, BufferAction{T, TState})"/>
/// see to that.</para>
/// <para>Design (after Bonwick and Adams, "Magazines and Vmem", 2001): each thread keeps, for each size class, one top slot and a
/// magazine behind it, touched by no other thread, so a hit takes no lock and no atomic instruction. Whole magazines change hands
/// through a shared depot, so a buffer that is returned on another thread than it was rented on comes back at the price of a fraction
/// of a lock. What lies idle for <see cref="BufferPoolOptions.IdleTimeout"/> is given to the garbage collector by a timer.</para>
/// <para>The top slot keeps its reference while the buffer is rented out and flips a flag: storing a reference costs a write barrier,
/// and a flag that is only branched on is no link in a chain of loads and stores, as a count would be. Most returns undo the last
/// rent, so a return first looks at the entry that the thread's last rent used.</para>
/// <para>What a hit never asks: whether checks, events or clearing are on. A pool that has one of them closes its gate: it uses the slot of
/// every thread's directory that holds the empty section, so that every call takes the slow path.</para>
/// </remarks>
/// <typeparam name="T">The elements; any type. Elements other than plain numbers are never seen with impossible bit patterns.</typeparam>
public sealed partial class BufferPool<T> : ArrayPool<T>, IBufferSource
{
    private readonly PoolCore _core;
    private readonly uint _quarterMask;

    private readonly int _id;

    /// <summary>
    /// Where the pool's section stands in a thread's directory, in bytes; 0, where the empty section stands, while the gate is closed.
    /// </summary>
    private nint _gate;

    /// <summary>
    /// All ones, or 0 while the gate is closed: a pool with checks must not overlook that a buffer is another pool's. (Between pools
    /// with open gates a buffer that is returned to the wrong one right after its rent goes back to the right one.)
    /// </summary>
    private nint _lastMask;

    /// <summary>The pool of the process for this element type, with default options.</summary>
    public static new BufferPool<T> Shared { get; } = new(new BufferPoolOptions { Name = $"Shared<{typeof(T).Name}>" });

    /// <summary>Hands out a buffer of at least <paramref name="minimumLength"/> elements, contents undefined.</summary>
    /// <param name="minimumLength">The least length, in elements; 0 gives an empty array.</param>
    /// <returns>
    /// An array of which at most a fifth is slack (with the default four classes to a doubling), which the caller owns until it is
    /// passed to <see cref="Return(T[], bool)"/>. For more than <see cref="BufferPoolOptions.MaxArrayLength"/> it is exactly as long as
    /// asked, and not kept when it comes back. A pool that has reached its cap hands out an idle array of up to twice the length it
    /// would allocate, rather than allocate one it could not keep.
    /// </returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="minimumLength"/> is negative.</exception>
    /// <exception cref="OutOfMemoryException">No buffer was idle and none could be allocated; the pool is unchanged.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public override T[] Rent(int minimumLength)
    {
        nint directory = PoolThreads.Local.Directory;
        if (directory != 0)
        {
            ref CacheEntry entry = ref EntryIn(directory, SizeClass.IndexOf(minimumLength, _quarterMask));
            if (entry.IsTopFree != 0 && entry.Top is { } top)
            {
                entry.IsTopFree = 0;
                entry.Rented++;
                return Unsafe.As<T[]>(top);
            }

            return RentFromStack(minimumLength, ref entry);
        }

        return RentSlow(minimumLength);
    }

    /// <summary>Takes a buffer back; the caller must not touch it any more.</summary>
    /// <param name="array">A buffer this pool handed out. An empty array is ignored.</param>
    /// <param name="clearArray">Clear the whole buffer before anyone else can rent it; otherwise its contents stay as they are.</param>
    /// <remarks>Where managed memory is out, the pool drops a buffer that it cannot list, and counts it: this does not throw.</remarks>
    /// <exception cref="ArgumentNullException"><paramref name="array"/> is null.</exception>
    /// <exception cref="ArgumentException">
    /// <paramref name="array"/> has a length or type this pool does not hand out; nothing was cleared.
    /// </exception>
    /// <exception cref="InvalidOperationException">
    /// <paramref name="array"/> is in the pool already. A pool without checks notices only where that costs nothing: while the array is
    /// still the one that this thread would be given next. A checked pool notices always.
    /// </exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public override void Return(T[] array, bool clearArray = false)
    {
        if (array is null)
        {
            Throw.ArgumentNull(nameof(array));
        }

        if (clearArray)
        {
            ReturnSlow(array, array.Length);
            return;
        }

        nint last = PoolThreads.Local.Last & _lastMask;
        if (last == 0)
        {
            ReturnElsewhere(array);
            return;
        }

        ref CacheEntry entry = ref EntryAt(last);
        if (entry.Top == (object)array && entry.IsTopFree == 0)
        {
            entry.IsTopFree = 1;
            return;
        }

        ReturnToStack(array, ref entry);
    }

    /// <summary>Lends a buffer of exactly <paramref name="length"/> elements, contents undefined, until the lease is disposed.</summary>
    /// <param name="length">The length, in elements.</param>
    /// <returns>
    /// A lease to be disposed with <c>using</c>: it returns its buffer once, however often it is disposed. It allocates nothing, and
    /// the compiler keeps it on the stack. A copy of it is a second owner: pass it by reference.
    /// </returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative.</exception>
    /// <exception cref="OutOfMemoryException">No buffer was idle and none could be allocated; the pool is unchanged.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public BufferLease<T> Lease(int length)
    {
        nint directory = PoolThreads.Local.Directory;
        if (directory != 0)
        {
            ref CacheEntry entry = ref EntryIn(directory, SizeClass.IndexOf(length, _quarterMask));
            if (entry.IsTopFree != 0 && entry.Top is { } top)
            {
                entry.IsTopFree = 0;
                entry.Rented++;
                return new BufferLease<T>(this, Unsafe.As<T[]>(top), length, PoolThreads.Local.Last);
            }

            if (length < 0)
            {
                Throw.NegativeLength(nameof(length), length);
            }

            return new BufferLease<T>(this, RentFromStack(length, ref entry), length, PoolThreads.Local.Last);
        }

        return LeaseSlow(length);
    }

    /// <summary>The address of the entry of this thread's last rent; 0 when there was none, or the gate is closed.</summary>
    internal nint Last => PoolThreads.Local.Last & _lastMask;

    /// <summary>
    /// The entry of a class in this thread's section. It is remembered for the return before it is known to have a buffer, because that
    /// store is cheaper than one on each path.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ref CacheEntry EntryIn(nint directory, uint index)
    {
        nint address = AddressIn(directory, index);
        PoolThreads.Local.Last = address;
        return ref EntryAt(address);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private unsafe nint AddressIn(nint directory, uint index) =>
        *(nint*)(directory + _gate) + (nint)(index * (uint)Unsafe.SizeOf<CacheEntry>());

    /// <summary>
    /// The entry at an address that this thread remembered: the directory keeps a section for as long as its thread may use it.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static unsafe ref CacheEntry EntryAt(nint address) => ref Unsafe.AsRef<CacheEntry>((void*)address);

    /// <summary>
    /// The top slot is rented out: takes from the loaded magazine. Inlined as well: the call would cost a tenth of the pair.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private T[] RentFromStack(int minimumLength, ref CacheEntry entry)
    {
        ArrayReference[] items = entry.Items;
        int count = entry.Count - 1;
        if ((uint)count < (uint)items.Length)
        {
            Array array = items[count].Value!;
            entry.Count = count;
            entry.Rented++;
            return Unsafe.As<T[]>(array);
        }

        return RentSlow(minimumLength);
    }

    /// <summary>The buffer is not the last rent's top one: puts it on that entry's magazine, if the entry serves its class.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void ReturnToStack(T[] array, ref CacheEntry entry)
    {
        if (entry.Pool != _id || !TryPush(array, ref entry))
        {
            ReturnElsewhere(array);
        }
    }

    /// <summary>The last rent was of another class or pool, or there was none: finds the entry by the buffer's length.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void ReturnElsewhere(T[] array)
    {
        nint directory = PoolThreads.Local.Directory;
        if (directory != 0)
        {
            // Not remembered when it is the top one: then the last rent's is most likely the next to come back.
            nint address = AddressIn(directory, SizeClass.IndexOf(array.Length, _quarterMask));
            ref CacheEntry entry = ref EntryAt(address);
            if (entry.Top == (object)array && entry.IsTopFree == 0)
            {
                entry.IsTopFree = 1;
                return;
            }

            if (TryPush(array, ref entry))
            {
                PoolThreads.Local.Last = address;
                return;
            }
        }

        ReturnSlow(array, clearLength: 0);
    }

    /// <summary>
    /// Keeps a buffer that is not the rented-out top one in an entry of this pool; false if the entry serves another class, has no room,
    /// or the buffer is its free top one, which means that it was returned twice.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool TryPush(T[] array, ref CacheEntry entry)
    {
        if (entry.Length != array.Length || entry.Top == (object)array || !IsOwnType(array))
        {
            return false;
        }

        ArrayReference[] items = entry.Items;
        int count = entry.Count;
        if ((uint)count >= (uint)items.Length)
        {
            return TryReturnToTop(array, ref entry, items);
        }

        ref ArrayReference slot = ref items[count];
        if (slot.Value == (object)array)
        {
            // It came from this very slot: the reference is still there.
            entry.Count = count + 1;
        }
        else if (entry.IsTopFree != 0)
        {
            entry.Count = count + 1;
            slot.Value = array;
        }
        else
        {
            ReturnToTop(array, ref entry, items);
        }

        return true;
    }

    /// <summary>The magazine is full: the buffer takes the top slot, if that is rented out.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool TryReturnToTop(T[] array, ref CacheEntry entry, ArrayReference[] items)
    {
        // A magazine without room may have no top slot beside it.
        if (entry.IsTopFree != 0 || items.Length == 0)
        {
            return false;
        }

        ReturnToTop(array, ref entry, items);
        return true;
    }

    /// <summary>
    /// The top slot is rented out: the buffer takes its place. Its own method, because it has to keep values across a call.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ReturnToTop(T[] array, ref CacheEntry entry, ArrayReference[] items)
    {
        entry.Top = array;
        entry.IsTopFree = 1;
        if (Volatile.Read(ref entry.Items) != items)
        {
            // A trimmer took the room back between the stores above: the slot must not keep what nobody accounts for.
            entry.Top = null;
        }
    }

    /// <summary>
    /// Whether <paramref name="array"/> is a T[] and nothing else: an array of references may be one of a derived type in disguise, and the
    /// runtime lets a <c>uint[]</c> pass for an <c>int[]</c>.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool IsOwnType(T[] array) => array.GetType() == typeof(T[]);
}
