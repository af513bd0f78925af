using System.Diagnostics.CodeAnalysis;

namespace Tarn.Native;

/// <summary>Counts the calls in progress inside an owner, so that the owner's end can wait for them.</summary>
/// <remarks>All members are safe to call from any thread. A field of the owner, never copied.</remarks>
internal struct RunningCalls
{
    private int _running;
    private int _hasEnded;

    /// <summary>Keeps the owner from ending until <see cref="Leave"/>; false when it has ended already.</summary>
    internal bool TryEnter()
    {
        Interlocked.Increment(ref _running);
        if (Volatile.Read(ref _hasEnded) == 0)
        {
            return true;
        }

        Leave();
        return false;
    }

    /// <summary>Keeps the owner from ending until the returned value is disposed.</summary>
    /// <exception cref="ObjectDisposedException">The owner has ended.</exception>
    [UnscopedRef]
    internal Running Enter(string owner) => TryEnter() ? new Running(ref this) : throw new ObjectDisposedException(owner);

    internal void Leave() => Interlocked.Decrement(ref _running);

    /// <summary>Refuses new calls and waits for those in progress.</summary>
    internal void End()
    {
        Interlocked.Exchange(ref _hasEnded, 1);
        SpinWait spin = default;
        while (Volatile.Read(ref _running) != 0)
        {
            // A sleep could be interrupted, and the owner would not end.
            spin.SpinOnce(sleep1Threshold: -1);
        }
    }

    /// <summary>A call in progress.</summary>
    internal readonly ref struct Running
    {
        private readonly ref RunningCalls _calls;

        internal Running(ref RunningCalls calls) => _calls = ref calls;

        public void Dispose() => _calls.Leave();
    }
}
