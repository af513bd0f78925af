using System.Runtime.Versioning;

namespace Tarn;

/// <summary>Windows: a named event, because waiting on an address works only within a process. The word itself is not read.</summary>
/// <remarks>An event that was set while no process slept wakes the next sleeper once without reason.</remarks>
[SupportedOSPlatform("windows")]
internal sealed class WindowsSharedSignal(string name) : SharedSignal
{
    private readonly EventWaitHandle _event = new(initialState: false, EventResetMode.AutoReset, @"Local\" + name);

    /// <inheritdoc/>
    internal override void Wait(uint seen, int milliseconds) => _event.WaitOne(milliseconds);

    /// <inheritdoc/>
    internal override void Wake() => _event.Set();

    /// <inheritdoc/>
    public override void Dispose() => _event.Dispose();
}
