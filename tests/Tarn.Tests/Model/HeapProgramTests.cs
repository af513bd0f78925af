using Tarn.Tests.Support;

namespace Tarn.Tests.Model;

public sealed class HeapProgramTests
{
    private static readonly int s_steps = RandomProgram.Steps(perSecond: 1000);

    public static TheoryData<int> Seeds => RandomProgram.Seeds(known: 8);

    private static NativeHeapOptions Options { get; } = new()
    {
        MaxRetainedBytes = 256 << 20,
        IdleTimeout = TimeSpan.FromSeconds(1),
        Checks = BufferChecks.None,
    };

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void As_anyone_makes_it(int seed) => Run(seed, Options);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void Under_a_cap_that_is_always_reached(int seed) =>
        Run(seed, new NativeHeapOptions(Options) { MaxRetainedBytes = 100_000 }, share: 2);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void With_nothing_retained(int seed) =>
        Run(seed, new NativeHeapOptions(Options) { MaxRetainedBytes = 0 }, share: 2);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void Without_statistics_and_with_memory_pressure(int seed) =>
        Run(seed, new NativeHeapOptions(Options) { Statistics = false, AddMemoryPressure = true }, share: 2);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void Clearing_freed_blocks(int seed) =>
        Run(seed, new NativeHeapOptions(Options) { ClearOnFree = true }, share: 2);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void With_all_checks(int seed) =>
        Run(seed, new NativeHeapOptions(Options) { Checks = BufferChecks.All, MaxRetainedBytes = 16 << 20 }, share: 8);

    private static void Run(int seed, NativeHeapOptions options, int share = 1) =>
        RandomProgram.Run(seed, () =>
        {
            using HeapProgram program = new(seed, options);
            program.Run(s_steps / share);
        });
}
