using System.Diagnostics.CodeAnalysis;

namespace Tarn;

/// <summary>Calls that run inside an owner, and the owner's end, which waits for them.</summary>
/// <remarks>All members are safe to call from any thread. A field of the owner, never copied.</remarks>
internal struct RunningCalls
{
    private int _running;
    private int _hasEnded;

    /// <summary>From here to <see cref="Leave"/> the owner does not end; false when it did already.</summary>
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

    /// <summary>The same until what is returned is disposed.</summary>
    /// <exception cref="ObjectDisposedException">The owner has ended.</exception>
    [UnscopedRef]
    internal Running Enter(string owner) => TryEnter() ? new Running(ref this) : throw new ObjectDisposedException(owner);

    internal void Leave() => Interlocked.Decrement(ref _running);

    /// <summary>Lets no call enter any more, and waits for those that run; false when the owner has ended already.</summary>
    internal bool TryEnd()
    {
        if (Interlocked.Exchange(ref _hasEnded, 1) != 0)
        {
            return false;
        }

        SpinWait spin = default;
        while (Volatile.Read(ref _running) != 0)
        {
            spin.SpinOnce();
        }

        return true;
    }

    /// <summary>A call runs.</summary>
    internal readonly ref struct Running
    {
        private readonly ref RunningCalls _calls;

        internal Running(ref RunningCalls calls) => _calls = ref calls;

        public void Dispose() => _calls.Leave();
    }
}
