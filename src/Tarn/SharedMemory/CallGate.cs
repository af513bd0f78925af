namespace Tarn;

/// <summary>Lets one call at a time into an object, and none once it is closed. A call may leave on another thread than it entered on.</summary>
internal struct CallGate
{
    private const int Free = 0;
    private const int Taken = 1;
    private const int Closed = 2;

    private int _state;
    private bool _isClosing;

    internal readonly bool IsClosing => Volatile.Read(in _isClosing);

    /// <summary>Begins a call; false if another one is inside, or the object is closed.</summary>
    internal bool TryEnter() => Interlocked.CompareExchange(ref _state, Taken, Free) == Free;

    /// <summary>Ends a call.</summary>
    internal void Leave() => Volatile.Write(ref _state, Free);

    /// <summary>Tells the call that is inside to end.</summary>
    internal void BeginClosing()
    {
        Volatile.Write(ref _isClosing, true);
        Interlocked.MemoryBarrier();
    }

    /// <summary>Waits until no call is inside, and lets no other in. Call <see cref="BeginClosing"/> first.</summary>
    internal void Close()
    {
        using UninterruptedWait wait = new();
        while (Interlocked.CompareExchange(ref _state, Closed, Free) == Taken)
        {
            wait.Once();
        }
    }
}
