using Tarn.Tests.Support;

namespace Tarn.Tests.Model;

/// <summary>
/// Random programs of owners that hold bytes of a tree of budgets and wait for more. No wait may need another wait: when all that do not
/// wait have returned their bytes, and again those that went on, nobody waits. Nobody is refused whom the others could have served.
/// </summary>
public sealed class HoldAndWaitTests
{
    private static readonly int s_programs = RandomProgram.Steps(perSecond: 20_000);

    public static TheoryData<int> Seeds => RandomProgram.Seeds(known: 4);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void Every_wait_ends_when_those_that_do_not_wait_return_their_bytes(int seed)
    {
        Random seeds = new(seed);
        int refused = 0;
        int passed = 0;
        for (int program = 0; program < s_programs; program++)
        {
            int own = seeds.Next();
            RandomProgram.Run(own, () =>
            {
                HoldAndWaitProgram run = new(new Random(own));
                run.Run();
                refused += run.Deadlocks;
                passed += run.Passed;
            });
        }

        Assert.True(refused > 0 && passed > 0, $"{refused} requests were refused, {passed} passed others: the programs try too little.");
    }
}
