namespace Tarn.Tests.Support;

/// <summary>
/// Tests that measure or change state of the whole process, such as those that collect garbage or listen to every buffer: nothing else runs
/// beside them.
/// </summary>
/// <remarks>Their trait lets `dotnet test` of the solution run them in a process of their own, beside the others.</remarks>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class Alone
{
    internal const string Name = "Alone";

    /// <summary>The name and the value of the trait; Directory.Solution.targets has them in its filters.</summary>
    internal const string Trait = "Alone";

    internal const string Yes = "yes";
}
