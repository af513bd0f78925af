using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

public sealed class ScopeProgramTests
{
    private static readonly int s_steps = RandomProgram.Steps(perSecond: 1000);

    public static TheoryData<int> Seeds => RandomProgram.Seeds(known: 4);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void Bumping_through_blocks(int seed) => Run(seed, BufferChecks.None);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void With_a_block_for_each(int seed) => Run(seed, BufferChecks.Returns);

    private static void Run(int seed, BufferChecks checks) =>
        RandomProgram.Run(seed, () =>
        {
            using ScopeProgram program = new(seed, checks);
            program.Run(s_steps);
        });
}
