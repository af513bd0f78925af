namespace Tarn.SharedMemory;

/// <summary>Something that waits for a <see cref="SharedSignal"/>, together with others.</summary>
internal abstract unsafe class SignalWait(SharedSignal signal)
{
    /// <summary>The value of the signal's word at which to sleep.</summary>
    internal uint Seen;

    internal SharedSignal Signal { get; } = signal;

    /// <summary>Whether the word has changed.</summary>
    internal bool WasWoken => Volatile.Read(ref *Signal.Word) != Seen;

    /// <summary>
    /// Called on the waiting thread after a wake, and now and then without one. Must not wait long, and must not throw.
    /// </summary>
    /// <returns>True if it still waits, until the word is not <see cref="Seen"/>; false if it is over, and not to be touched.</returns>
    internal abstract bool GoesOn();
}
