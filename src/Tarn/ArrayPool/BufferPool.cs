using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>A pool of arrays: a drop-in <see cref="ArrayPool{T}"/> that is faster, wastes less memory, and releases idle memory.</summary>
/// <remarks>
/// <para>Purpose: any code that takes an <see cref="ArrayPool{T}"/> accepts this one. All members are safe to call from any thread, and a
/// buffer may be rented on one thread and returned on another. The caller owns a rented buffer until it returns it, and must not use it
/// afterwards. <see cref="Lease"/> and <see cref="LeaseMemory"/> enforce that.</para>
/// <para>Design (after Bonwick and Adams, "Magazines and Vmem", 2001): for each size class, a thread keeps one top slot and a magazine
/// behind it. No other thread uses them, so a hit takes no lock and no atomic instruction. Threads exchange buffers through a shared depot,
/// several small ones at a time, so returning one on another thread than it was rented on costs a fraction of a lock. A timer gives buffers
/// idle for <see cref="BufferPoolOptions.IdleTimeout"/> to the garbage collector.</para>
/// <para>The top slot keeps its reference while the buffer is rented out, and only flips a flag. Storing a reference costs a write barrier,
/// and a flag that is only branched on does not join a chain of loads and stores as a count would. Most returns undo the last rent, so a
/// return first checks the entry that the thread's last rent used.</para>
/// <para>A hit never tests whether checks, events or clearing are on. A pool with any of them closes its gate: it uses the slot that holds
/// the empty section in every thread's directory, so every call takes the slow path.</para>
/// </remarks>
/// <typeparam name="T">
/// The type of the elements, which may be any type. Elements other than plain numbers never have invalid bit patterns.
/// </typeparam>
public sealed partial class BufferPool<T> : ArrayPool<T>, IBufferSource
{
    private readonly PoolCore _core;
    private readonly uint _quarterMask;

    private readonly int _id;

    /// <summary>
    /// The offset of the pool's section in a thread's directory, in bytes, for rents. It is 0, the offset of the empty section, while the
    /// gate is closed.
    /// </summary>
    private nint _gate;

    /// <summary>The same for returns, which sampling does not close.</summary>
    private nint _returnGate;

    /// <summary>
    /// All ones, or 0 while the gate for returns is closed, because a pool with checks must detect another pool's buffer. (Between pools
    /// with open gates, a buffer returned to the wrong pool right after its rent goes back to the right one.)
    /// </summary>
    private nint _lastMask;

    /// <summary>The process's shared pool for this element type, with default options.</summary>
    public static new BufferPool<T> Shared { get; } = new(new BufferPoolOptions { Name = $"Shared<{typeof(T).Name}>" });

    /// <summary>Rents a buffer of at least <paramref name="minimumLength"/> elements. Its contents are undefined.</summary>
    /// <param name="minimumLength">The minimum length, in elements. For 0, the result is an empty array.</param>
    /// <returns>
    /// An array that the caller owns until it passes it to <see cref="Return(T[], bool)"/>. At most a fifth of it is slack, with the
    /// default four classes per doubling. A pool that is at its cap, or most of whose longer arrays are idle, may hand out one of up to
    /// twice the length that it would allocate. Above <see cref="BufferPoolOptions.MaxArrayLength"/> the array has exactly the requested
    /// length, and is dropped when it is returned.
    /// </returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="minimumLength"/> is negative.</exception>
    /// <exception cref="OutOfMemoryException">No idle buffer exists and none could be allocated. The pool is unchanged.</exception>
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

    /// <summary>Takes a buffer back. The caller must not use it afterwards.</summary>
    /// <param name="array">A buffer rented from this pool. An empty array is ignored.</param>
    /// <param name="clearArray">
    /// Whether to clear the whole buffer before it can be rented again. Otherwise its contents are unchanged.
    /// </param>
    /// <remarks>
    /// If managed memory is exhausted, the pool drops and counts a buffer that it cannot list, and the call does not throw.
    /// </remarks>
    /// <exception cref="ArgumentNullException"><paramref name="array"/> is null.</exception>
    /// <exception cref="ArgumentException">
    /// <paramref name="array"/> has a length or type that this pool does not hand out. Nothing was cleared.
    /// </exception>
    /// <exception cref="InvalidOperationException">
    /// <paramref name="array"/> is already in the pool. A pool without checks detects this only where detection costs next to nothing:
    /// while this thread would get the array with its next rent. A checked pool always detects it.
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

    /// <summary>
    /// Leases a buffer of exactly <paramref name="length"/> elements until the lease is disposed. Its contents are undefined.
    /// </summary>
    /// <param name="length">The length, in elements.</param>
    /// <returns>
    /// The lease. Declare it with <c>using</c>: it returns its buffer once, however often it is disposed. It allocates nothing, and the
    /// compiler keeps it on the stack. A copy would be a second owner, so pass it by reference.
    /// </returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative.</exception>
    /// <exception cref="OutOfMemoryException">No idle buffer exists and none could be allocated. The pool is unchanged.</exception>
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

            if (TryPop(ref entry, out T[]? array))
            {
                return new BufferLease<T>(this, array, length, PoolThreads.Local.Last);
            }
        }

        return LeaseSlow(length);
    }

    /// <summary>The address of the entry of this thread's last rent, or 0 without a rent or while the gate for returns is closed.</summary>
    internal nint Last => PoolThreads.Local.Last & _lastMask;

    /// <summary>
    /// The entry of a class in this thread's section. It is remembered for the return before it is known to have a buffer, because this one
    /// store is cheaper than a store on each path.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ref CacheEntry EntryIn(nint directory, uint index)
    {
        nint address = AddressIn(directory, index, _gate);
        PoolThreads.Local.Last = address;
        return ref EntryAt(address);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static unsafe nint AddressIn(nint directory, uint index, nint gate) =>
        *(nint*)(directory + gate) + (nint)(index * (uint)Unsafe.SizeOf<CacheEntry>());

    /// <summary>
    /// The entry at an address that this thread remembered. The directory keeps a section as long as its thread may use it.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static unsafe ref CacheEntry EntryAt(nint address) => ref Unsafe.AsRef<CacheEntry>((void*)address);

    /// <summary>
    /// Takes from the loaded magazine while the top slot is rented out. Inlined, because a call would cost a tenth of the pair.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private T[] RentFromStack(int minimumLength, ref CacheEntry entry) =>
        TryPop(ref entry, out T[]? array) ? array : RentBehind(minimumLength, ref entry);

    /// <summary>Takes from the loaded magazine and counts the rent; false if the magazine is empty.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool TryPop(ref CacheEntry entry, [NotNullWhen(true)] out T[]? array)
    {
        ArrayReference[] items = entry.Items;
        int count = entry.Count - 1;
        if ((uint)count < (uint)items.Length)
        {
            array = Unsafe.As<T[]>(items[count].Value!);
            entry.Count = count;
            entry.Rented++;
            return true;
        }

        array = null;
        return false;
    }

    /// <summary>
    /// Returns a buffer other than the last rent's top one: puts it on that entry's magazine, if the entry serves its class.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void ReturnToStack(T[] array, ref CacheEntry entry)
    {
        if (entry.Length != array.Length || entry.Pool != _id)
        {
            ReturnElsewhere(array);
        }
        else
        {
            Push(array, ref entry);
        }
    }

    /// <summary>Finds the entry by the buffer's length where the last rent was of another class or pool, or there was none.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void ReturnElsewhere(T[] array)
    {
        nint directory = PoolThreads.Local.Directory;
        if (directory == 0)
        {
            ReturnSlow(array, clearLength: 0);
            return;
        }

        // The top buffer's entry is not remembered: the last rent's buffer is most likely the next one returned.
        nint address = AddressIn(directory, SizeClass.IndexOf(array.Length, _quarterMask), _returnGate);
        ref CacheEntry entry = ref EntryAt(address);
        if (entry.Top == (object)array && entry.IsTopFree == 0)
        {
            entry.IsTopFree = 1;
            return;
        }

        // Before the push, which may call listeners: if this was the pool's last use, the entry may be gone after it.
        PoolThreads.Local.Last = address;
        Push(array, ref entry);
    }

    /// <summary>
    /// Takes a buffer other than the rented-out top one back at an entry of this pool. The slow path does so if the entry serves another
    /// class, or if the buffer is the free top one or the newest of the magazine, which means that it was returned twice.
    /// </summary>
    /// <remarks>
    /// The magazine comes before the top slot, even if that is rented out: where sizes are mixed, no processor can foretell whether it is.
    /// </remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Push(T[] array, ref CacheEntry entry)
    {
        if (entry.Length != array.Length || entry.Top == (object)array || !IsOwnType(array))
        {
            ReturnSlow(array, clearLength: 0);
            return;
        }

        ArrayReference[] items = entry.Items;
        int count = entry.Count;
        int newest = count - 1;
        if ((uint)newest < (uint)items.Length && items[newest].Value == (object)array)
        {
            ReturnSlow(array, clearLength: 0);
            return;
        }

        if ((uint)count >= (uint)items.Length)
        {
            ReturnToTop(array, ref entry, items);
            return;
        }

        // A buffer that came from this slot still has its reference there.
        ref ArrayReference slot = ref items[count];
        entry.Count = count + 1;
        if (slot.Value != (object)array)
        {
            slot.Value = array;
        }
    }

    /// <summary>
    /// Puts the buffer into the top slot, if that is rented out, or else takes the slow path. Its callers have nothing to do afterwards, so
    /// they keep no values across the call.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void ReturnToTop(T[] array, ref CacheEntry entry, ArrayReference[] items)
    {
        // Beside a revoked magazine there is no top slot, or a trimmer wants to know whether the magazine is needed.
        if (entry.IsTopFree != 0 || items == CacheSection.Revoked)
        {
            ReturnBehind(array, ref entry);
            return;
        }

        entry.Top = array;
        entry.IsTopFree = 1;
        if (Volatile.Read(ref entry.Items) != items)
        {
            // A trimmer took the room back between the stores above, so the slot must not keep an uncounted buffer.
            entry.Top = null;
        }
    }

    /// <summary>
    /// Whether the type of <paramref name="array"/> is exactly T[]. By array covariance a reference may point to an array of a derived
    /// type, and the runtime treats a <c>uint[]</c> as an <c>int[]</c>.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool IsOwnType(T[] array) => array.GetType() == typeof(T[]);
}
