using System.Runtime.Versioning;

namespace Tarn.SharedMemory;

/// <summary>Windows: a named event, because waiting on an address works only within a process. Only a group reads the word.</summary>
/// <remarks>
/// It wakes one sleeper of several: an event that wakes all would have to be reset, and nobody knows when all have seen it. An event that
/// was set while no process slept wakes the next sleeper once without reason.
/// </remarks>
[SupportedOSPlatform("windows")]
internal sealed unsafe class WindowsSharedSignal(string name, uint* word) : SharedSignal(word)
{
    internal EventWaitHandle Event { get; } = new(initialState: false, EventResetMode.AutoReset, @"Local\" + name);

    /// <inheritdoc/>
    internal override void Wait(uint seen, int milliseconds) => Event.WaitOne(milliseconds);

    /// <inheritdoc/>
    internal override void Wake() => Event.Set();

    /// <inheritdoc/>
    public override void Dispose() => Event.Dispose();
}
