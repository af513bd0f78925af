using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>The owners that a thread hands out, by turns.</summary>
/// <remarks>
/// <para>An owner stays in the ring of the thread that created it. A disposal, on any thread, only empties it, so owners need not pass
/// between threads. A hit stores one reference, that of the block, because each stored reference costs a write barrier.</para>
/// <para>Invariant: an owner is handed out only while it is empty, and at least <see cref="Delay"/> turns after its last disposal.</para>
/// <para>An owner that is not ready at its turn leaves the ring, and a new one takes its place: its renter may have forgotten it, and the
/// collector then takes it with its block. If many leave in one round, the ring doubles, so that a thread with many blocks in use does not
/// allocate owners all the time.</para>
/// </remarks>
internal sealed class OwnerRing<T>
{
    /// <summary>The rents of the thread after a disposal, before the owner is handed out again.</summary>
    internal const int Delay = 64;

    private const int LeastCapacity = 128;
    private const int GreatestCapacity = 1024;

    /// <summary>The ring doubles when more than one in this many owners leave in a round.</summary>
    private const int LeaversDivisor = 16;

    [ThreadStatic]
    private static OwnerRing<T>? t_ofThread;

    private PooledMemoryOwner<T>?[] _owners = new PooledMemoryOwner<T>?[LeastCapacity];

    /// <summary>The rents so far, which wrap.</summary>
    private int _turn;

    /// <summary>The turn at which the round began, and the owners that have left since.</summary>
    private int _round;
    private int _leavers;

    private OwnerRing()
    {
    }

    /// <summary>The rents so far, for any thread.</summary>
    internal int Turn => Volatile.Read(ref _turn);

    /// <summary>Returns an owner of this thread that owns nothing.</summary>
    /// <exception cref="OutOfMemoryException">An owner was needed and could not be allocated.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static PooledMemoryOwner<T> Next()
    {
        OwnerRing<T> ring = t_ofThread ?? Create();
        int turn = ++ring._turn;
        PooledMemoryOwner<T>?[] owners = ring._owners;
        return owners[turn & (owners.Length - 1)] is { } owner && owner.IsReadyAt(turn) ? owner : ring.Replace(turn);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static OwnerRing<T> Create() => t_ofThread = new OwnerRing<T>();

    [MethodImpl(MethodImplOptions.NoInlining)]
    private PooledMemoryOwner<T> Replace(int turn)
    {
        PooledMemoryOwner<T> owner = new(this);
        if (_owners[turn & (_owners.Length - 1)] is not null)
        {
            CountLeaver(turn);
        }

        _owners[turn & (_owners.Length - 1)] = owner;
        return owner;
    }

    private void CountLeaver(int turn)
    {
        if (turn - _round >= _owners.Length)
        {
            _round = turn;
            _leavers = 0;
        }

        _leavers++;
        if (_leavers > _owners.Length / LeaversDivisor && _owners.Length < GreatestCapacity)
        {
            // The places differ now, which changes the order of turns; each owner's own turn of disposal keeps the invariant.
            Array.Resize(ref _owners, _owners.Length * 2);
            _leavers = 0;
        }
    }
}
