using Tarn.Tests.Support;

namespace Tarn.Tests.Writers;

public sealed class WriterProgramTests
{
    private static readonly int s_steps = RandomProgram.Steps(perSecond: 500);

    public static TheoryData<int> Seeds => RandomProgram.Seeds(known: 3);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void A_pooled_writer(int seed) => RandomProgram.Run(seed, () => new PooledWriterProgram(seed, BufferChecks.None).Run(s_steps));

    /// <summary>The pool overwrites what comes back, and finds what came back twice.</summary>
    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void A_pooled_writer_of_a_checked_pool(int seed) => RandomProgram.Run(
        seed, () => new PooledWriterProgram(seed, BufferChecks.Returns | BufferChecks.UseAfterReturn).Run(s_steps));

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void A_sequence_builder(int seed) =>
        RandomProgram.Run(seed, () => new SequenceBuilderProgram(seed, BufferChecks.None).Run(s_steps));

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void A_sequence_builder_of_a_checked_pool(int seed) => RandomProgram.Run(
        seed, () => new SequenceBuilderProgram(seed, BufferChecks.Returns | BufferChecks.UseAfterReturn).Run(s_steps));
}
