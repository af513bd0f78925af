using Tarn.Torture.Composed;

namespace Tarn.Torture.Attacks;

/// <summary>Random programs over every kind of owner in every company with every ending, beside their models.</summary>
internal sealed class ComposedAttack : IAttack
{
    private const int StepsOfProgram = 120;
    private const int ProgramsForRace = 10;

    private static readonly TimeSpan s_race = TimeSpan.FromMilliseconds(300);

    /// <inheritdoc/>
    public string Name => "composed";

    /// <inheritdoc/>
    public string Description => "programs over every owner in every company with every ending, beside models of what must be true; "
        + "members disposed in the middle of a call";

    /// <inheritdoc/>
    public void Run(AttackContext context)
    {
        context.Expect(static incident => incident.SourceName.StartsWith("composed", StringComparison.Ordinal), most: int.MaxValue);
        do
        {
            ComposedProgram.Generate(context.Random.Next(), StepsOfProgram).Run();
            context.Count("programs");
            context.Count("steps", StepsOfProgram);
            if (context.Random.Next(ProgramsForRace) == 0)
            {
                Race(context);
            }
        }
        while (!context.IsOver);
    }

    private static void Race(AttackContext context)
    {
        RacedKind kind = RacedKinds.All[context.Random.Next(RacedKinds.All.Count)];
        context.Count("calls stopped for a disposal", new InterruptedCalls(kind).Run());
        context.Count("calls raced with a disposal", new DisposalRaces(kind, context.Random.Next()).Run(s_race));
    }
}
