using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps.Security;

/// <summary>Every mistake is found, wherever in a program it is made, and a program without one is left in peace.</summary>
public class FaultyProgramTests
{
    private const int Programs = 12;

    public static TheoryData<InjectedFault> Faults => [.. Enum.GetValues<InjectedFault>()];

    [Theory]
    [MemberData(nameof(Faults))]
    public void A_random_program_with_one_mistake_gets_a_report_of_that_one(InjectedFault fault)
    {
        int first = Random.Shared.Next();
        foreach (int seed in Enumerable.Range(1, Programs).Concat(Enumerable.Range(first, Programs)))
        {
            RandomProgram.Run(seed, () =>
            {
                using FaultyProgram program = new(seed);
                program.Run(fault);
            });
        }
    }
}
