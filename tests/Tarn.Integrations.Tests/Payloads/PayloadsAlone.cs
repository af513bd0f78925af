namespace Tarn.Integrations.Tests.Payloads;

/// <summary>Alone, because everything that the process allocates is counted.</summary>
[CollectionDefinition(nameof(PayloadTests), DisableParallelization = true)]
public sealed class PayloadsAlone;
