using System.Diagnostics.CodeAnalysis;
using System.Numerics;

namespace Tarn.Native;

/// <summary>The large buffers of one heap: each a mapping of its own, registered by address, kept for reuse.</summary>
/// <remarks>
/// <para><b>What is kept.</b> The buffers kept and in use are at most 8 MiB more than one and a half times the bytes of the most that were
/// in use at once since the timeout before last. A kept buffer serves its class and the two classes below, whole. At the bound, a kept
/// buffer of a near size is resized, or the one that was kept longest goes. The budget covers every kept buffer. Buffers larger than every
/// class are never kept.</para>
/// <para>All members are safe to call from any thread. The lock is not held during calls to the system: a buffer that such a call works on
/// is in no table, or busy there (<see cref="SystemCalls"/>). What needs managed memory comes before the call.</para>
/// </remarks>
internal sealed partial class LargeBuffers(VirtualMemory memory, MemoryBudget budget, CommittedBytes committed)
{
    /// <summary>
    /// The size from which huge pages save more faults and misses than they waste: every buffer of that size fills most of its huge pages.
    /// </summary>
    internal const nuint HugeFrom = BlockSizes.LargestAlignment;

    /// <summary>The bytes that a heap may keep in any case: a program that uses a few sizes in turn finds a buffer of each.</summary>
    internal const long Spare = 8 << 20;

    /// <summary>
    /// How many classes below its own a kept buffer serves whole: it is at most half as large again as what was asked for.
    /// </summary>
    private const int ClassesServed = 2;

    /// <summary>
    /// The smallest class with huge pages. A smaller size never takes a buffer from it: a touch of one byte may make a whole huge page
    /// resident, beyond the part that is in use.
    /// </summary>
    private static readonly int s_hugeClass = (int)BlockSizes.IndexOf(HugeFrom);

    private readonly Dictionary<nint, LargeBuffer> _all = [];

    /// <summary>Kept buffers by class; the most recently kept one is the last.</summary>
    private readonly LinkedQueue<LargeBuffer, LargeBuffer.InClass>[] _kept =
        new LinkedQueue<LargeBuffer, LargeBuffer.InClass>[BlockSizes.ClassCount];

    private readonly SystemCalls _calls = new();
    private ShortLock _lock;

    /// <summary>The bytes that the budget covers: at least those kept. What a buffer left behind serves the next one.</summary>
    private long _room;

    /// <summary>The bytes that callers have. A busy buffer does not count.</summary>
    private long _outBytes;

    /// <summary>The most of them since <see cref="_peakSince"/>, and in the timeout before.</summary>
    private long _peak;
    private long _peakBefore;
    private TimeSpan _peakSince;

    /// <summary>Buffers kept so far.</summary>
    private long _keptSoFar;

    internal long ReservedBytes { get; private set; }

    internal long KeptBytes { get; private set; }

    /// <summary>The bytes that the budget covers.</summary>
    internal long Room => _room;

    /// <summary>Buffers handed out so far, and those among them that were new.</summary>
    internal long Rented { get; private set; }

    internal long Created { get; private set; }

    /// <summary>The most bytes kept and in use, when <paramref name="peak"/> were the most in use.</summary>
    internal static long Most(long peak) => Spare + peak + (peak / 2);

    /// <summary>
    /// Takes a kept buffer of the class or, if there is none, of the nearest of the classes above that serve it; 0 when there is none.
    /// </summary>
    internal nint TakeKept(int index)
    {
        using (_lock.Hold())
        {
            ObjectDisposedException.ThrowIf(_calls.HasEnded, typeof(NativeHeap));
            int at = index;
            LargeBuffer? buffer;
            while ((buffer = _kept[at].Last) is null)
            {
                if (at == index + ClassesServed || !MayServe(++at, index))
                {
                    return 0;
                }
            }

            Unkeep(buffer, at);
            buffer.LentSize = BlockSizes.SizeOf(index);
            CountOut(buffer);
            Rented++;
            return buffer.Address;
        }
    }

    /// <summary>
    /// Creates a buffer of <paramref name="size"/> bytes, all zero. Returns 0 and changes nothing when the system refuses.
    /// </summary>
    internal nint Create(nuint size)
    {
        nint address = Reserve(size);
        if (address == 0)
        {
            return 0;
        }

        LargeBuffer buffer = Register(address, size);
        if (!memory.Commit(address, size))
        {
            Withdraw(buffer);
            return 0;
        }

        if (size >= HugeFrom)
        {
            memory.PreferHugePages(address, size);
        }

        committed.Add((long)size);
        EndCall(buffer, isNew: true);
        ReleaseSurplus();
        return address;
    }

    /// <summary>
    /// Finds the size of the buffer that begins at <paramref name="address"/>; false when no buffer that is out begins there.
    /// </summary>
    internal bool TryGetSize(nint address, out nuint size)
    {
        using (_lock.Hold())
        {
            bool isOut = TryFindOut(address, out LargeBuffer? buffer);
            size = isOut ? buffer!.LentSize : 0;
            return isOut;
        }
    }

    /// <summary>Keeps a buffer of <paramref name="size"/> bytes, which belongs to a class.</summary>
    /// <returns>False when no such buffer is out; null, with nothing changed, when the budget refuses to keep it.</returns>
    internal bool? TryKeep(nint address, nuint size, TimeSpan now)
    {
        using (_lock.Hold())
        {
            return !TryFindOut(address, out LargeBuffer? buffer) || buffer.LentSize != size ? false
                : TryKeep(buffer, now) ? true : null;
        }
    }

    /// <summary>Returns a buffer of <paramref name="size"/> bytes to the system; false when no such buffer is out.</summary>
    internal bool TryRelease(nint address, nuint size)
    {
        LargeBuffer? buffer;
        using (_lock.Hold())
        {
            if (!TryFindOut(address, out buffer) || buffer.LentSize != size)
            {
                return false;
            }

            _outBytes -= (long)buffer.Size;
            TakeOut(buffer);
        }

        Release(buffer);
        return true;
    }

    /// <summary>
    /// Releases buffers kept since <paramref name="before"/> or longer, the oldest first, until at least <paramref name="enough"/> bytes
    /// are released.
    /// </summary>
    /// <returns>The bytes that the budget got back.</returns>
    /// <remarks>It leaves buffers alone that other threads return meanwhile, so that it ends.</remarks>
    internal long ReleaseIdle(TimeSpan before, long enough = long.MaxValue)
    {
        long last = Volatile.Read(ref _keptSoFar);
        long bytes = enough > 0 ? ReturnRoom() : 0;
        while (bytes < enough && TakeOldest(before, last) is { } buffer)
        {
            Release(buffer);
            bytes += ReturnRoom();
        }

        return bytes;
    }

    /// <summary>Begins a new period for the most bytes in use, if the last one began <paramref name="timeout"/> ago.</summary>
    internal void Age(TimeSpan now, TimeSpan timeout)
    {
        using (_lock.Hold())
        {
            if (now - _peakSince >= timeout)
            {
                _peakBefore = _peak;
                _peak = _outBytes;
                _peakSince = now;
            }
        }

        ReleaseSurplus();
    }

    /// <summary>Stops handing out buffers.</summary>
    internal void Close()
    {
        using (_lock.Hold())
        {
            _calls.Close();
        }
    }

    /// <summary>Returns all memory to the system. Call <see cref="Close"/> first. Further calls find nothing.</summary>
    /// <exception cref="OutOfMemoryException">There is no managed memory. Nothing has changed.</exception>
    internal void ReleaseAll()
    {
        _calls.End();
        LargeBuffer[] buffers;
        using (_lock.Hold())
        {
            buffers = [.. _all.Values];
            _all.Clear();
            Array.Clear(_kept);
            ReturnRoom(0);
            KeptBytes = 0;
            ReservedBytes = 0;
        }

        foreach (LargeBuffer buffer in buffers)
        {
            committed.Remove((long)buffer.Size);
            memory.Release(buffer.Address, buffer.ReservedSize);
        }
    }

    /// <summary>Reserves address space whose alignment suits a buffer of this size or of any smaller one.</summary>
    private nint Reserve(nuint size) =>
        memory.Reserve(size, (nuint)1 << BitOperations.Log2((ulong)Math.Min(size, BlockSizes.LargestAlignment)));

    /// <summary>Whether a buffer of the class <paramref name="kept"/>, if there is such a class, may serve a class.</summary>
    private static bool MayServe(int kept, int index) =>
        kept is >= BlockSizes.SlabClassCount and < BlockSizes.ClassCount && (kept < s_hugeClass || index >= s_hugeClass);

    /// <summary>Whether <paramref name="more"/> bytes in use would exceed the bound.</summary>
    private bool Exceeds(long more) => KeptBytes + _outBytes + more > Most(Math.Max(Math.Max(_peak, _peakBefore), _outBytes + more));

    /// <summary>Returns the room that no kept buffer needs.</summary>
    private long ReturnRoom()
    {
        using (_lock.Hold())
        {
            return ReturnRoom(KeptBytes);
        }
    }

    /// <summary>Returns the room beyond <paramref name="kept"/> bytes, under the lock.</summary>
    private long ReturnRoom(long kept)
    {
        long surplus = _room - kept;
        _room = kept;
        budget.Release(surplus);
        return surplus;
    }

    /// <summary>Releases the buffers that were kept longest while the bound is exceeded.</summary>
    private void ReleaseSurplus()
    {
        while (TakeOldest(TimeSpan.MaxValue, long.MaxValue, onlySurplus: true) is { } buffer)
        {
            Release(buffer);
        }
    }

    private void CountOut(LargeBuffer buffer)
    {
        _outBytes += (long)buffer.Size;
        _peak = Math.Max(_peak, _outBytes);
    }

    /// <summary>Finds a buffer that a caller has.</summary>
    private bool TryFindOut(nint address, [NotNullWhen(true)] out LargeBuffer? buffer) =>
        _all.TryGetValue(address, out buffer) && buffer is { IsKept: false, IsBusy: false };

    /// <summary>Keeps a buffer that is out, if the budget has room for it.</summary>
    private bool TryKeep(LargeBuffer buffer, TimeSpan now)
    {
        long more = KeptBytes + (long)buffer.Size - _room;
        if (more > 0)
        {
            if (!budget.TryReserve(more))
            {
                return false;
            }

            _room += more;
        }

        _kept[(int)BlockSizes.IndexOf(buffer.Size)].Append(buffer);
        buffer.IsKept = true;
        buffer.Since = now;
        Volatile.Write(ref _keptSoFar, _keptSoFar + 1);
        buffer.KeptAs = _keptSoFar;
        KeptBytes += (long)buffer.Size;
        _outBytes -= (long)buffer.Size;
        return true;
    }

    /// <summary>
    /// Takes out the buffer that was kept longest, if it was kept until <paramref name="before"/> and not after number
    /// <paramref name="last"/>; otherwise null. With <paramref name="onlySurplus"/>, only while the bound is exceeded.
    /// </summary>
    private LargeBuffer? TakeOldest(TimeSpan before, long last, bool onlySurplus = false)
    {
        using (_lock.Hold())
        {
            LargeBuffer? oldest = null;
            if (KeptBytes > 0 && (!onlySurplus || Exceeds(more: 0)))
            {
                foreach (LinkedQueue<LargeBuffer, LargeBuffer.InClass> kept in _kept)
                {
                    if (kept.First is { } first && first.KeptAs <= (oldest?.KeptAs ?? last) && first.Since <= before)
                    {
                        oldest = first;
                    }
                }
            }

            if (oldest is not null)
            {
                Unkeep(oldest, (int)BlockSizes.IndexOf(oldest.Size));
                TakeOut(oldest);
            }

            return oldest;
        }
    }

    /// <summary>Takes a kept buffer out of the queue of its class.</summary>
    private void Unkeep(LargeBuffer buffer, int index)
    {
        _kept[index].Remove(buffer);
        buffer.IsKept = false;
        KeptBytes -= (long)buffer.Size;
    }
}
