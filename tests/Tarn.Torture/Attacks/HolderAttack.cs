using Tarn.Torture.Findings;
using Tarn.Torture.Storms;

namespace Tarn.Torture.Attacks;

/// <summary>
/// Clients that hold bytes of budgets and wait for more, slow ones and ones that leave. No state of theirs may be one that nobody ends:
/// all end, though none has a timeout.
/// </summary>
internal sealed class HolderAttack : IAttack
{
    private static readonly int[] s_clients = [4, 16, 64];

    /// <inheritdoc/>
    public string Name => "holders";

    /// <inheritdoc/>
    public string Description => "clients that hold bytes of budgets and wait for more without a timeout, and some that leave meanwhile";

    /// <inheritdoc/>
    public void Run(AttackContext context)
    {
        int finished = 0;
        do
        {
            HolderStorm storm = new(context.Random.Next());
            storm.Run(s_clients[context.Random.Next(s_clients.Length)]);
            finished += storm.Finished;
            context.Count("clients that finished", storm.Finished);
            context.Count("clients that were refused", storm.Refused);
            context.Count("clients that left", storm.Left);
        }
        while (!context.IsOver);
        Require.That(context.IsBrief || finished > 0, "No client finished.");
    }
}
