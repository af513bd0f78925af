namespace Tarn.TestChild;

/// <summary>One way to give buffers back.</summary>
/// <param name="Name">What it is called.</param>
/// <param name="Prepare">Rents, and gives the calls that give back, and what to verify when all were made.</param>
/// <param name="IsOnOtherThread">A thread gives back that never used the pool.</param>
/// <param name="IsListenedTo">Someone listens to every event.</param>
internal sealed record GivingBack(
    string Name, Func<(Action[] Calls, Action Verify)> Prepare, bool IsOnOtherThread = false, bool IsListenedTo = false);
