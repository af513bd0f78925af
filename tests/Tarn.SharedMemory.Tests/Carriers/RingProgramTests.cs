
namespace Tarn.SharedMemory.Tests.Carriers;

public sealed class RingProgramTests : RingTest
{
    private static readonly int s_steps = RandomProgram.Steps(perSecond: 1000);

    public static TheoryData<int> Seeds => RandomProgram.Seeds(known: 3);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void Of_the_least_capacity(int seed) => Run(seed, 64);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void Of_128_bytes(int seed) => Run(seed, 128);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void Of_512_bytes(int seed) => Run(seed, 512);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void Of_4096_bytes(int seed) => Run(seed, 4096);

    private void Run(int seed, int capacity) => RandomProgram.Run(seed, () =>
    {
        using RingProgram program = new(seed, Name, capacity);
        program.Run(s_steps);
    });
}
