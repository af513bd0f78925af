using System.Runtime.CompilerServices;

namespace Tarn.SharedMemory;

/// <summary>Lets one call at a time into an object, and none once it is closed.</summary>
/// <remarks>
/// A plain flag detects most second threads. A call sets the flag before it looks whether the object is closing. Who closes it says so,
/// fences all processors, and looks at the flag, so a call needs no fence. A call may leave on another thread than it entered on.
/// </remarks>
internal struct CallGate
{
    private bool _isInside;
    private bool _isClosing;

    internal readonly bool IsClosing => Volatile.Read(in _isClosing);

    /// <summary>Begins a call; false if another one is inside, or the object is closing.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool TryEnter()
    {
        if (_isInside)
        {
            return false;
        }

        Volatile.Write(ref _isInside, true);
        if (!Volatile.Read(ref _isClosing))
        {
            return true;
        }

        Leave();
        return false;
    }

    /// <summary>Ends a call.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Leave() => Volatile.Write(ref _isInside, false);

    /// <summary>Refuses calls from now on. Wake the call that is inside.</summary>
    internal void BeginClosing()
    {
        Volatile.Write(ref _isClosing, true);
        Interlocked.MemoryBarrierProcessWide();
    }

    /// <summary>Waits until no call is inside. Call <see cref="BeginClosing"/> first.</summary>
    internal void AwaitNobody()
    {
        using UninterruptedWait wait = new();
        while (Volatile.Read(ref _isInside))
        {
            TaskWaiter.StepHere();
            wait.Once();
        }
    }
}
