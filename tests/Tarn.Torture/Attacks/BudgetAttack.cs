using Tarn.Torture.Findings;
using Tarn.Torture.Storms;

namespace Tarn.Torture.Attacks;

/// <summary>
/// A tree of budgets under threads that take, wait, give up and die, by hand, through leases, pools, heaps and streams, and drop leases
/// without a disposal. No budget is above its limit at any moment, and in the end nothing is in use and nobody waits.
/// </summary>
internal sealed class BudgetAttack : IAttack
{
    private static readonly int[] s_threads = [2, 8, 32];

    /// <inheritdoc/>
    public string Name => "budgets";

    /// <inheritdoc/>
    public string Description => "budgets with children: grants, waits that are cancelled or time out, dropped leases, threads that die";

    /// <inheritdoc/>
    public void Run(AttackContext context)
    {
        do
        {
            Storm(context);
        }
        while (!context.IsOver);
    }

    private static void Storm(AttackContext context)
    {
        Random random = context.Random;
        BudgetStorm storm = new(random.Next(), s_threads[random.Next(s_threads.Length)], context.Part(1.5));
        storm.Run();
        context.Count("grants", storm.Grants);
        context.Count("requests refused, cancelled or timed out", storm.Refusals);
        context.Count("leases dropped", storm.Dropped);
        context.Count("looks at the bytes in use", storm.Looks);
        Require.That(storm.Grants > 0, "No budget granted anything.");
    }
}
