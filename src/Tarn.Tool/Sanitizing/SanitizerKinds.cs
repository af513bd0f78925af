using Tarn.Tool.Checking;

namespace Tarn.Tool.Sanitizing;

/// <summary>The kinds of findings by the names that files use.</summary>
internal static class SanitizerKinds
{
    public static IReadOnlyList<string> Ids { get; } = [.. Enum.GetValues<ProblemKind>().Select(ProblemRules.IdOf)];
}
