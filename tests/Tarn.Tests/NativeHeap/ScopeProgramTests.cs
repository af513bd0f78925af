using Tarn.Tests.Support;

namespace Tarn.Tests.NativeHeaps;

public sealed class ScopeProgramTests
{
    /// <summary>As many for each second that stress tests may take.</summary>
    private static readonly int s_steps = (int)(StressLength.Duration.TotalSeconds * 1000);

    /// <summary>Fixed seeds, and one that is new each time.</summary>
    public static TheoryData<int> Seeds => [1, 2, 3, 4, Random.Shared.Next()];

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void Bumping_through_blocks(int seed) => Run(seed, BufferChecks.None);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void With_a_block_for_each(int seed) => Run(seed, BufferChecks.Returns);

    private static void Run(int seed, BufferChecks checks)
    {
        try
        {
            using ScopeProgram program = new(seed, checks);
            program.Run(s_steps);
        }
        catch (Exception e)
        {
            throw new InvalidOperationException($"The program of seed {seed} failed: {e.Message}", e);
        }
    }
}
