namespace Tarn.Tests.Diagnostics;

/// <summary>
/// Tests that collect garbage or listen to every buffer change how all pools of the process behave: they run alone, after the others.
/// </summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class ProcessWide
{
    public const string Name = "Process-wide";
}
