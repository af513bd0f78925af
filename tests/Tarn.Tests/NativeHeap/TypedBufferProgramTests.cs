using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

public sealed class TypedBufferProgramTests
{
    private static readonly int s_steps = RandomProgram.Steps(perSecond: 1000);

    public static TheoryData<int> Seeds => RandomProgram.Seeds(known: 4);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void Without_checks(int seed) => Run(seed, BufferChecks.None);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void With_checks(int seed) => Run(seed, BufferChecks.Returns | BufferChecks.Leaks);

    private static void Run(int seed, BufferChecks checks) =>
        RandomProgram.Run(seed, () =>
        {
            using TypedBufferProgram program = new(seed, checks);
            program.Run(s_steps);
        });
}
