using System.Runtime.Versioning;

namespace Tarn.SharedMemory;

/// <summary>Windows: named events, because waiting on an address works only within a process.</summary>
/// <remarks>
/// <para>An event that wakes all its sleepers stays set, and nobody knows when all have seen it. So sleepers on different values of the
/// word use different events: a wake sets the event of the value that it changed, and whoever is to sleep on a value resets the event of
/// that value before it looks at the word for the last time. If the word has changed by then, it sets the event again, for those that
/// looked before and do not sleep yet.</para>
/// <para>The event of a value is also that of every fourth value after it. A sleeper that misses four wakes between its last look and its
/// sleep may miss its own; it wakes at its timeout.</para>
/// </remarks>
[SupportedOSPlatform("windows")]
internal sealed unsafe class WindowsSharedSignal : SharedSignal
{
    private const int Values = 4;

    private readonly EventWaitHandle[] _events = new EventWaitHandle[Values];

    internal WindowsSharedSignal(string name, uint* word)
        : base(word)
    {
        for (int i = 0; i < Values; i++)
        {
            _events[i] = new(initialState: false, EventResetMode.ManualReset, $@"Local\{name}.{i}");
        }
    }

    /// <summary>Returns the event to sleep on, as long as the word has a value. It is set if the word has changed.</summary>
    internal EventWaitHandle EventOf(uint seen)
    {
        EventWaitHandle sleep = _events[seen % Values];
        sleep.Reset();
        if (Volatile.Read(ref *Word) != seen)
        {
            sleep.Set();
        }

        return sleep;
    }

    /// <inheritdoc/>
    internal override void Wait(uint seen, int milliseconds) => EventOf(seen).WaitOne(milliseconds);

    /// <inheritdoc/>
    internal override void Wake(uint changed) => _events[changed % Values].Set();

    /// <inheritdoc/>
    public override void Dispose()
    {
        foreach (EventWaitHandle one in _events)
        {
            one.Dispose();
        }
    }
}
