namespace Tarn.Traces;

/// <summary>A method that the runtime listed.</summary>
/// <param name="Name">Its type and name, as the runtime has them.</param>
/// <param name="Token">Its number in its module.</param>
/// <param name="ModuleId">The id of its module.</param>
internal sealed record CompiledMethod(string Name, int Token, long ModuleId)
{
    /// <summary>The path of its module; empty if the runtime did not list it.</summary>
    internal string Module { get; init; } = "";
}
