using System.Globalization;
using Tarn.Tests.Support;

namespace Tarn.Tests.Model;

public sealed class PoolProgramTests
{
    private static readonly int s_steps = RandomProgram.Steps(perSecond: 250);

    public static TheoryData<int> Seeds => RandomProgram.Seeds(known: 8);

    private static BufferPoolOptions Options { get; } = new()
    {
        MaxRetainedBytes = 64 << 20,
        IdleTimeout = TimeSpan.FromSeconds(1),
        Checks = BufferChecks.None,
    };

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void Bytes(int seed) => Run(seed, static stamp => (byte)stamp, Options);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void Strings(int seed) => Run(seed, static stamp => stamp.ToString(CultureInfo.InvariantCulture), Options);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void Under_a_cap_that_is_always_reached(int seed) =>
        Run(seed, static stamp => (long)stamp, new BufferPoolOptions(Options) { MaxRetainedBytes = 100_000, SizeClassesPerDoubling = 2 });

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void With_lengths_over_the_longest(int seed) =>
        Run(seed, static stamp => (short)stamp, new BufferPoolOptions(Options) { MaxArrayLength = 500, SizeClassesPerDoubling = 1 });

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void With_nothing_retained(int seed) =>
        Run(seed, static stamp => (byte)stamp, new BufferPoolOptions(Options) { MaxRetainedBytes = 0 });

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void Without_thread_caches(int seed) =>
        Run(seed, static stamp => (byte)stamp, new BufferPoolOptions(Options) { ThreadCaches = false });

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void With_all_checks(int seed) =>
        Run(
            seed, static stamp => (byte)stamp, new BufferPoolOptions(Options) { Checks = BufferChecks.All, MaxRetainedBytes = 1 << 20 },
            share: 4);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void With_returns_checked_and_leaks_sampled(int seed) =>
        Run(
            seed, static stamp => (Guid?)null,
            new BufferPoolOptions(Options) { Checks = BufferChecks.Returns | BufferChecks.SampledLeaks }, share: 4);

    private static void Run<T>(int seed, Func<int, T> element, BufferPoolOptions options, int share = 1) =>
        RandomProgram.Run(seed, () =>
        {
            using PoolProgram<T> program = new(seed, element, options);
            program.Run(s_steps / share);
        });
}
