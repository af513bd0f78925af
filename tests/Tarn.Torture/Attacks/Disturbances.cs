using Tarn.Torture.Doubles;

namespace Tarn.Torture.Attacks;

/// <summary>Disturbances beside a storm, chosen at random and counted.</summary>
internal sealed class Disturbances(Random random, AttackContext context)
{
    private readonly List<Action> _chosen = [];

    /// <summary>A listener for every rent and return comes, and goes.</summary>
    internal static void Listen()
    {
        using TracingListener listener = new();
        Thread.Sleep(5);
    }

    /// <summary>Chooses this one or not.</summary>
    internal void Add(string what, Action disturb)
    {
        if (random.Next(2) == 0)
        {
            _chosen.Add(() =>
            {
                disturb();
                context.Count(what);
            });
        }
    }

    /// <summary>Chooses this one, and does not count it.</summary>
    internal void Always(Action disturb) => _chosen.Add(disturb);

    internal Action[] ToArray() => [.. _chosen];
}
