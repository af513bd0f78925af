using Tarn.Tests.Support;
using Tarn.Torture.Composed;

namespace Tarn.Tests.Model;

/// <summary>Every owner in every company with every ending, in random programs beside their models.</summary>
/// <remarks>Programs listen to every buffer of the process and collect what they dropped, so nothing else runs beside them.</remarks>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class ComposedProgramTests
{
    private const int StepsOfProgram = 60;

    private static readonly TimeSpan s_race = StressLength.Duration / 20;
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(20);
    private static readonly int s_programs = RandomProgram.Steps(perSecond: 400);

    public static TheoryData<int> Seeds => RandomProgram.Seeds(known: 8);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void Owners_hold_what_their_models_hold_and_nothing_waits_for_ever(int seed)
    {
        Random random = new(seed);
        for (int i = 0; i < s_programs; i++)
        {
            ComposedProgram.Generate(random.Next(), StepsOfProgram).Run();
        }
    }

    public static TheoryData<string> Members => [.. RacedKinds.All.Select(static kind => kind.Name)];

    [Theory]
    [MemberData(nameof(Members))]
    public void A_member_that_is_disposed_at_its_rents_and_returns_completes_or_throws_and_loses_nothing(string member) =>
        new InterruptedCalls(Find(member)).Run();

    [Theory]
    [MemberData(nameof(Members))]
    public void A_member_completes_or_throws_beside_the_disposal_and_loses_nothing(string member) =>
        Assert.True(new DisposalRaces(Find(member), seed: 1).Run(s_race) > 0);

    [Fact]
    public void A_program_without_some_of_its_steps_and_owners_is_a_program()
    {
        ComposedProgram program = ComposedProgram.Generate(seed: 3, StepsOfProgram);
        for (int skipped = 2; skipped < 6; skipped++)
        {
            ComposedProgram rest = program with { Steps = [.. program.Steps.Where((_, index) => index % skipped != 0)] };
            Assert.Null(rest.Try(s_patience));
        }
    }

    [Fact]
    public void A_failure_shrinks_to_the_steps_it_needs()
    {
        // The stand-in for a fault: bytes that somebody takes behind the model's back.
        ComposedProgram program = ComposedProgram.Generate(seed: 3, StepsOfProgram);
        ComposedFailure? failure = (program with { Settings = program.Settings with { TakesUntold = true } }).Try(s_patience);

        Assert.NotNull(failure);
        ComposedFailure least = new Shrinking(failure).Run();
        Assert.Single(least.Program.Steps);
        Assert.Contains("seed 3", least.ToException().Message, StringComparison.Ordinal);
        Assert.Contains("its owners hold", least.ToException().Message, StringComparison.Ordinal);
    }

    private static RacedKind Find(string member) => RacedKinds.All.Single(kind => kind.Name == member);
}
