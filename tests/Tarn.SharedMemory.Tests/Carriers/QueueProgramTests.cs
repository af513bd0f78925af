
namespace Tarn.SharedMemory.Tests.Carriers;

public sealed class QueueProgramTests : QueueTest
{
    private static readonly int s_steps = RandomProgram.Steps(perSecond: 4000);

    public static TheoryData<int> Seeds => RandomProgram.Seeds(known: 3);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void Of_two_messages(int seed) => Run(seed, 2, 1);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void Of_four_messages(int seed) => Run(seed, 4, 48);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void Of_sixteen_messages(int seed) => Run(seed, 16, 1000);

    private void Run(int seed, int capacity, int longest) => RandomProgram.Run(seed, () =>
    {
        using QueueProgram program = new(seed, Name, capacity, longest);
        program.Run(s_steps);
    });
}
