namespace Tarn.SharedMemory;

/// <summary>macOS, and Linux before 5.16, where a thread sleeps on one word: a thread for each wait.</summary>
#pragma warning disable CA1001 // a thread that adds a wait may still set the event; its finalizer ends it
internal sealed class SingleSignalGroup : SignalGroup
#pragma warning restore CA1001
{
    private readonly AutoResetEvent _own = new(initialState: false);

    /// <inheritdoc/>
    internal override int Capacity => 1;

    /// <inheritdoc/>
    internal override void Wait(ReadOnlySpan<SignalWait> waits, int milliseconds)
    {
        if (waits.IsEmpty)
        {
            _own.WaitOne(milliseconds);
        }
        else
        {
            waits[0].Signal.Wait(waits[0].Seen, milliseconds);
        }
    }

    /// <inheritdoc/>
    internal override void Wake() => _own.Set();
}
