
namespace Tarn.SharedMemory.Tests.Carriers;

public sealed class TopicProgramTests : TopicTest
{
    private static readonly int s_steps = RandomProgram.Steps(perSecond: 4000);

    public static TheoryData<int> Seeds => RandomProgram.Seeds(known: 3);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void Of_one_message(int seed) => Run(seed, 1, 1);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void Of_five_messages(int seed) => Run(seed, 5, 48);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void Of_fifty_messages(int seed) => Run(seed, 50, 1000);

    private void Run(int seed, int capacity, int longest) => RandomProgram.Run(seed, () =>
    {
        using TopicProgram program = new(seed, Name, capacity, longest);
        program.Run(s_steps);
    });
}
