using Tarn.Tests.Support;

namespace Tarn.Tests.Streams;

public sealed class StreamProgramTests : IDisposable
{
    /// <summary>As many as there is time for.</summary>
    private static readonly int s_steps = RandomProgram.Steps(perSecond: 125);

    private OwnMemory? _memory;

    /// <summary>Fixed seeds, those that once found something among them, and one that is new each time.</summary>
    public static TheoryData<int> Seeds => [1, 2, 3, 4, 5, Random.Shared.Next()];

    public void Dispose() => _memory?.Dispose();

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public Task In_arrays(int seed) => Run(seed, static memory => memory.InPool);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public Task In_native_memory(int seed) => Run(seed, static memory => memory.InHeap);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public Task With_all_checks(int seed) => Run(seed, static memory => memory.InPool, BufferChecks.All);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public Task Cleared_on_release(int seed) => Run(seed, static memory =>
        new PooledMemoryStreamOptions(memory.InPool) { Clearing = StreamClearing.OnReturn });

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public Task Cleared_in_the_background(int seed) =>
        Run(seed, static memory => new PooledMemoryStreamOptions(memory.InPool) { Clearing = StreamClearing.Background });

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public Task Native_memory_cleared(int seed) => Run(seed, static memory =>
        new PooledMemoryStreamOptions(memory.InHeap) { Clearing = StreamClearing.Background });

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public Task On_several_cores(int seed) => Run(seed, static memory =>
        new PooledMemoryStreamOptions(memory.InPool) { ParallelCopyThreshold = 1 });

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public Task Contents_kept(int seed) => Run(seed, static memory =>
        new PooledMemoryStreamOptions(memory.InPool) { KeepContentsOnDispose = true });

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public Task With_a_limit_often_reached(int seed) => Run(seed, static memory =>
        new PooledMemoryStreamOptions(memory.InPool) { MaxCapacity = 10_000 });

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public Task With_a_limit_in_native_memory(int seed) => Run(seed, static memory =>
        new PooledMemoryStreamOptions(memory.InHeap) { MaxCapacity = 100_001 });

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public Task With_a_limit_and_cleared(int seed) =>
        Run(seed, static memory => new PooledMemoryStreamOptions(memory.InPool) { MaxCapacity = 3001, Clearing = StreamClearing.OnReturn });

    private async Task Run(int seed, Func<OwnMemory, PooledMemoryStreamOptions> mode, BufferChecks checks = BufferChecks.None)
    {
        try
        {
            _memory = new OwnMemory(checks);
            using (StreamProgram program = new(seed, mode(_memory)))
            {
                await program.Run(s_steps);
            }

            _memory.AssertNothingInUse();
        }
        catch (Exception e)
        {
            throw new InvalidOperationException($"The program of seed {seed} failed: {e.Message}", e);
        }
    }
}
