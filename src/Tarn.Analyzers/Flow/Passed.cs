namespace Tarn.Analyzers.Flow;

/// <summary>Describes what a callee received.</summary>
/// <param name="Resources">The resources that it holds from then on, a bit for each.</param>
/// <param name="HandedBack">The argument that is its result, or of which its result is a part; unknown if there is none.</param>
internal readonly record struct Passed(ulong Resources, Value HandedBack)
{
    internal static Passed Nothing => default;
}
