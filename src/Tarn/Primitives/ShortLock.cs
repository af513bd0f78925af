using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>
/// A lock for a few instructions that do not block or call other code. Not reentrant. A field of the structure it guards, never copied.
/// </summary>
/// <remarks>
/// It is one word beside the data it guards, so a processor fetches both together, and taking it is one atomic operation. A thread that
/// finds it held spins, then yields, then sleeps, because the holder may have been preempted. An interrupt does not end the wait
/// (<see cref="Uninterrupted"/>).
/// </remarks>
internal struct ShortLock
{
    /// <summary>
    /// Some microseconds of spinning, longer than a running holder needs. Yielding at once would cost more than the lock.
    /// </summary>
    private const int Spins = 100;

    private int _isHeld;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Enter()
    {
        if (Interlocked.CompareExchange(ref _isHeld, 1, 0) != 0)
        {
            EnterSlow();
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Exit() => Volatile.Write(ref _isHeld, 0);

    /// <summary>Takes the lock until the returned value is disposed.</summary>
    [UnscopedRef]
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal Holding Hold()
    {
        Enter();
        return new Holding(ref this);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void EnterSlow()
    {
        SpinWait wait = default;
        int left = Spins;
        bool wasInterrupted = false;
        do
        {
            if (left-- > 0)
            {
                Thread.SpinWait(1);
            }
            else
            {
                try
                {
                    wait.SpinOnce();
                }
                catch (ThreadInterruptedException)
                {
                    wasInterrupted = true;
                }
            }
        }
        while (Volatile.Read(ref _isHeld) != 0 || Interlocked.CompareExchange(ref _isHeld, 1, 0) != 0);

        Uninterrupted.KeepPending(wasInterrupted);
    }

    /// <summary>Holds the lock.</summary>
    internal readonly ref struct Holding
    {
        private readonly ref ShortLock _lock;

        internal Holding(ref ShortLock taken) => _lock = ref taken;

        /// <summary>Releases the lock.</summary>
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public void Dispose() => _lock.Exit();
    }
}
