using Tarn.Tests.Support;

namespace Tarn.Tests.Writers;

public sealed class WriterProgramTests
{
    /// <summary>Some calls of each program are refused, and most are not.</summary>
    private const long Limit = 30_000;

    private static readonly int s_steps = RandomProgram.Steps(perSecond: 500);

    public static TheoryData<int> Seeds => RandomProgram.Seeds(known: 3);

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void A_pooled_writer(int seed) => RunWriter(seed, new ArrayWriterSource(BufferChecks.None));

    /// <summary>The pool overwrites what comes back, and finds what came back twice.</summary>
    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void A_pooled_writer_of_a_checked_pool(int seed) =>
        RunWriter(seed, new ArrayWriterSource(BufferChecks.Returns | BufferChecks.UseAfterReturn));

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void A_pooled_writer_with_a_budget(int seed) => RunWriter(seed, new ArrayWriterSource(BufferChecks.Returns, Limit));

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void A_writer_of_native_memory_with_a_budget(int seed) => RunWriter(seed, new HeapWriterSource(BufferChecks.All, Limit));

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void A_sequence_builder_with_a_budget(int seed) =>
        RandomProgram.Run(seed, () => new SequenceBuilderProgram(seed, BufferChecks.Returns, Limit).Run(s_steps));

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void A_writer_of_native_memory(int seed) => RunWriter(seed, new HeapWriterSource(BufferChecks.None));

    /// <summary>The heap overwrites what comes back, and finds what came back twice and what was written behind a buffer.</summary>
    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void A_writer_of_native_memory_of_a_checked_heap(int seed) => RunWriter(seed, new HeapWriterSource(BufferChecks.All));

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void A_sequence_builder(int seed) =>
        RandomProgram.Run(seed, () => new SequenceBuilderProgram(seed, BufferChecks.None).Run(s_steps));

    [Theory]
    [MemberData(nameof(Seeds), DisableDiscoveryEnumeration = true)]
    public void A_sequence_builder_of_a_checked_pool(int seed) => RandomProgram.Run(
        seed, () => new SequenceBuilderProgram(seed, BufferChecks.Returns | BufferChecks.UseAfterReturn).Run(s_steps));

    private static void RunWriter(int seed, WriterSource source)
    {
        using (source)
        {
            RandomProgram.Run(seed, () => new PooledWriterProgram(seed, source).Run(s_steps));
        }
    }
}
