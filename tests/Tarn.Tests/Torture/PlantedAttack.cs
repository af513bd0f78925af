using Tarn.Torture.Attacks;

namespace Tarn.Tests.Torture;

/// <summary>An attack whose behaviour a test supplies.</summary>
internal sealed class PlantedAttack(string name, Action<AttackContext> run, bool isContinuous = false) : IAttack
{
    public string Name => name;

    public string Description => "planted";

    public bool IsContinuous => isContinuous;

    public void Run(AttackContext context) => run(context);
}
