namespace Tarn.SharedMemory.Tests.Platform;

public class SupportedProcessTests
{
    private const string Name = "tarn-tests-of-32-bits";

    private static readonly Dictionary<string, Action> s_parts = new()
    {
        ["region made"] = static () => SharedRegion.Create(Name, 100).Dispose(),
        ["region opened"] = static () => SharedRegion.Open(Name).Dispose(),
        ["region made or opened"] = static () => SharedRegion.CreateOrOpen(Name, 100).Dispose(),
        ["region deleted"] = static () => SharedRegion.Delete(Name),
        ["regions listed"] = static () => SharedRegion.List(),
        ["regions cleaned"] = static () => SharedRegion.DeleteAbandoned(),
        ["ring made"] = static () => SharedRing.Create(Name, 1 << 16).Dispose(),
        ["ring opened"] = static () => SharedRing.Open(Name).Dispose(),
        ["queue made"] = static () => SharedQueue.Create(Name, 2, 16).Dispose(),
        ["queue opened"] = static () => SharedQueue.Open(Name).Dispose(),
        ["value made"] = static () => SharedValue<long>.Create(Name).Dispose(),
        ["value opened"] = static () => SharedValue<long>.Open(Name).Dispose(),
    };

    public static TheoryData<string> RefusedParts => [.. s_parts.Keys];

    [Theory]
    [MemberData(nameof(RefusedParts))]
    public void A_process_of_32_bits_is_refused_by_every_part_with_one_exception(string part)
    {
        SupportedProcess.Pretends32Bits = true;
        try
        {
            PlatformNotSupportedException thrown = Assert.Throws<PlatformNotSupportedException>(s_parts[part]);
            Assert.StartsWith(
                "Shared regions, rings, queues, topics and values need a 64-bit process, and this one has 32 bits: ", thrown.Message,
                StringComparison.Ordinal);
        }
        finally
        {
            SupportedProcess.Pretends32Bits = false;
        }
    }

    [Fact]
    public void This_process_is_supported() => Assert.NotNull(NamedMemory.Current);
}
