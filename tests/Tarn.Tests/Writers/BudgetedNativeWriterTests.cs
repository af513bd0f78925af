using Tarn.Tests.Support;

namespace Tarn.Tests.Writers;

/// <summary>A budget that refuses nothing changes nothing of a writer of native memory.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class BudgetedNativeWriterTests() : PooledWriterContract(new HeapWriterSource(BufferChecks.All, limit: 1L << 40));
