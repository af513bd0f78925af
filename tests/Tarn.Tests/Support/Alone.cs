namespace Tarn.Tests.Support;

/// <summary>
/// Tests that measure or change state of the whole process, such as those that collect garbage or listen to every buffer: nothing else runs
/// beside them.
/// </summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class Alone
{
    internal const string Name = "Alone";
}
