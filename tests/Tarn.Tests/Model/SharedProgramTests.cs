using Tarn.Tests.Support;

namespace Tarn.Tests.Model;

public sealed class SharedProgramTests
{
    private static readonly int s_steps = RandomProgram.Steps(perSecond: 4_000);

    public static TheoryData<int> Seeds => RandomProgram.Seeds(known: 3);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void Shared_buffers(int seed) => Run(seed, BufferChecks.None, s_steps);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void Shared_buffers_of_a_checked_pool(int seed) => Run(seed, BufferChecks.All, s_steps / 10);

    private static void Run(int seed, BufferChecks checks, int steps) =>
        RandomProgram.Run(seed, () =>
        {
            using SharedProgram program = new(seed, checks);
            program.Run(steps);
        });
}
