using Tarn.Tests.Support;

namespace Tarn.Tests.Platform;

public class SupportedProcessTests
{
    private const string Name = "tarn-tests-of-32-bits";

    public static TheoryData<string> RefusedParts => [.. s_parts.Keys];

    private static readonly Dictionary<string, (string Named, Action Use)> s_parts = new()
    {
        ["heap"] = ("Native heaps", static () => new NativeHeap().Dispose()),
        ["heap with options"] = ("Native heaps", static () => new NativeHeap(new NativeHeapOptions { Name = Name }).Dispose()),
    };

    [Theory]
    [MemberData(nameof(RefusedParts))]
    public void A_process_of_32_bits_is_refused_by_every_part_with_one_exception(string part)
    {
        PlatformNotSupportedException thrown = Assert.Throws<PlatformNotSupportedException>(() => In32Bits(s_parts[part].Use));

        Assert.Equal(
            $"{s_parts[part].Named} need a 64-bit process, and this one has 32 bits: build the program for x64 or Arm64 (or AnyCPU "
                + "without Prefer32Bit), or use array pools and streams over arrays, which work in any process.",
            thrown.Message);
    }

    [Fact]
    public void The_shared_heap_says_the_same_inside_the_exception_of_its_type() =>
        Assert.All(
            ChildProcess.Run(["shared heap in 32 bits"]),
            static line => Assert.StartsWith(
                "PlatformNotSupportedException: Native heaps need a 64-bit process, and this one has 32 bits: ", line,
                StringComparison.Ordinal));

    [Fact]
    public void Array_pools_and_streams_over_arrays_do_not_ask()
    {
        In32Bits(static () =>
        {
            BufferPool<byte> pool = BufferPool<byte>.Create();
            pool.Return(pool.Rent(100));
            using PooledMemoryStream stream = new();
            stream.WriteByte(1);
            Assert.Equal(1, stream.Length);
        });
    }

    [Fact]
    public void This_process_is_supported() => Assert.NotNull(VirtualMemory.Current);

    private static void In32Bits(Action use)
    {
        SupportedProcess.Pretends32Bits = true;
        try
        {
            use();
        }
        finally
        {
            SupportedProcess.Pretends32Bits = false;
        }
    }
}
