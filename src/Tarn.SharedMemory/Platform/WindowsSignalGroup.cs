using System.Runtime.Versioning;

namespace Tarn.SharedMemory;

/// <summary>Windows: a wait for up to 64 events. One of them is the group's own.</summary>
[SupportedOSPlatform("windows")]
#pragma warning disable CA1001 // a thread that adds a wait may still set the event; its finalizer ends it
internal sealed class WindowsSignalGroup : SignalGroup
#pragma warning restore CA1001
{
    /// <summary>MAXIMUM_WAIT_OBJECTS.</summary>
    private const int MostEvents = 64;

    private readonly AutoResetEvent _own = new(initialState: false);
    private WaitHandle[] _events = [];

    /// <inheritdoc/>
    internal override int Capacity => MostEvents - 1;

    /// <inheritdoc/>
    internal override void Wait(ReadOnlySpan<SignalWait> waits, int milliseconds)
    {
        if (_events.Length != waits.Length + 1)
        {
            _events = new WaitHandle[waits.Length + 1];
            _events[0] = _own;
        }

        for (int i = 0; i < waits.Length; i++)
        {
            _events[i + 1] = ((WindowsSharedSignal)waits[i].Signal).EventOf(waits[i].Seen);
        }

        // A waker changes the word before it sets the event, so the words tell which waits were woken.
        WaitHandle.WaitAny(_events, milliseconds);
    }

    /// <inheritdoc/>
    internal override void Wake() => _own.Set();
}
