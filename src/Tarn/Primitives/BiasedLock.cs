using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>
/// A lock for a few instructions, as <see cref="ShortLock"/>, that costs one thread no atomic operation until another thread takes it.
/// </summary>
/// <remarks>
/// <para>The owner notes that it is inside, and looks whether it still is the owner. Another thread takes the ownership away before it
/// looks whether the owner is inside. Between its store and its look it fences every processor, so either the owner's look sees the store,
/// or the other thread's look sees the note. The fence takes microseconds, once: a lock without an owner is a <see cref="ShortLock"/> from
/// then on. Users keep it with the threads that pass buffers on.</para>
/// <para>Threads have numbers of their own here, because reading the runtime's takes a call, and the runtime uses its again. A field of the
/// structure it guards, never copied.</para>
/// </remarks>
internal struct BiasedLock
{
    /// <summary>The number of no thread. A thread without a number has 0.</summary>
    private const long NoOwner = -1;

    [ThreadStatic]
    private static long t_number;

    private static long s_lastNumber;

    private long _owner;
    private int _isOwnerInside;
    private ShortLock _others;

    /// <param name="isOwned">Whether the calling thread owns the lock, or no thread does.</param>
    internal BiasedLock(bool isOwned) => _owner = isOwned ? NumberThread() : NoOwner;

    /// <summary>Takes the lock.</summary>
    /// <returns>Whether as its owner, for <see cref="Exit"/>.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool Enter()
    {
        long thread = t_number;
        if (_owner == thread)
        {
            Volatile.Write(ref _isOwnerInside, 1);
            if (Volatile.Read(ref _owner) == thread)
            {
                return true;
            }

            Volatile.Write(ref _isOwnerInside, 0);
        }

        EnterAsOther();
        return false;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Exit(bool isOwner)
    {
        if (isOwner)
        {
            Volatile.Write(ref _isOwnerInside, 0);
        }
        else
        {
            _others.Exit();
        }
    }

    private static long NumberThread() => t_number != 0 ? t_number : t_number = Interlocked.Increment(ref s_lastNumber);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void EnterAsOther()
    {
        _others.Enter();
        if (_owner != NoOwner)
        {
            Volatile.Write(ref _owner, NoOwner);
            Interlocked.MemoryBarrierProcessWide();
            while (Volatile.Read(ref _isOwnerInside) != 0)
            {
                Uninterrupted.Yield();
            }
        }
    }
}
