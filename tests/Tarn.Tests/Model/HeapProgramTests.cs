using Tarn.Tests.Support;

namespace Tarn.Tests.Model;

public sealed class HeapProgramTests
{
    /// <summary>As many for each second that stress tests may take.</summary>
    private static readonly int s_steps = (int)(StressLength.Duration.TotalSeconds * 1000);

    /// <summary>Fixed seeds, those that once found something among them, and one that is new each time.</summary>
    public static TheoryData<int> Seeds => [1, 2, 3, 4, 5, 6, 7, 8, Random.Shared.Next()];

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
    public void Under_a_cap_that_is_always_reached(int seed) => Run(seed, Options with { MaxRetainedBytes = 100_000 }, share: 2);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void With_nothing_retained(int seed) => Run(seed, Options with { MaxRetainedBytes = 0 }, share: 2);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void Without_statistics_and_with_memory_pressure(int seed) =>
        Run(seed, Options with { Statistics = false, AddMemoryPressure = true }, share: 2);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void Clearing_what_is_freed(int seed) => Run(seed, Options with { ZeroOnFree = true }, share: 2);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void With_all_checks(int seed) => Run(seed, Options with { Checks = BufferChecks.All, MaxRetainedBytes = 16 << 20 }, share: 8);

    private static void Run(int seed, NativeHeapOptions options, int share = 1)
    {
        try
        {
            using HeapProgram program = new(seed, options);
            program.Run(s_steps / share);
        }
        catch (Exception e)
        {
            throw new InvalidOperationException($"The program of seed {seed} failed: {e.Message}", e);
        }
    }
}
