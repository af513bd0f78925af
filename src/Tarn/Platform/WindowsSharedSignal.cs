using System.Runtime.Versioning;

namespace Tarn;

/// <summary>Windows: a named event, as waiting on an address does not reach beyond the process. The word itself is not looked at.</summary>
/// <remarks>An event that was set while nobody slept wakes the next sleeper for no reason, once.</remarks>
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
