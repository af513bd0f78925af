using Tarn.Tests.Support;

namespace Tarn.Tests.Model;

public sealed class MemoryPoolProgramTests
{
    private static readonly int s_steps = RandomProgram.Steps(perSecond: 200);

    public static TheoryData<int> Seeds => RandomProgram.Seeds(known: 2);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void Reused_owners(int seed) => Run(seed, BufferChecks.None);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void Owners_of_a_checked_pool(int seed) => Run(seed, BufferChecks.SampledLeaks);

    private static void Run(int seed, BufferChecks checks) =>
        RandomProgram.Run(seed, () =>
        {
            using MemoryPoolProgram program = new(seed, checks);
            program.Run(s_steps);
        });
}
