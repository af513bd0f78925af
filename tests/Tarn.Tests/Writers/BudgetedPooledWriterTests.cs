using Tarn.Tests.Support;

namespace Tarn.Tests.Writers;

/// <summary>A budget that refuses nothing changes nothing of a writer over a pool.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class BudgetedPooledWriterTests()
    : PooledWriterContract(new ArrayWriterSource(BufferChecks.Returns | BufferChecks.UseAfterReturn, limit: 1L << 40));
