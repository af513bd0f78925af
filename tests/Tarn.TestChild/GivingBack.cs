namespace Tarn.TestChild;

/// <summary>One way to give buffers back.</summary>
/// <param name="Name">The name of the way.</param>
/// <param name="Prepare">Rents buffers. Returns the calls that give them back, and the final verification.</param>
/// <param name="IsOnOtherThread">Whether a thread that never used the pool gives them back.</param>
/// <param name="IsListenedTo">Whether a listener receives every event.</param>
internal sealed record GivingBack(
    string Name, Func<(Action[] Calls, Action Verify)> Prepare, bool IsOnOtherThread = false, bool IsListenedTo = false);
