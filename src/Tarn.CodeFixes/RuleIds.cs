namespace Tarn.CodeFixes;

/// <summary>The rules that have fixes. The analyzers' assembly, which compilers load, is not referenced from here.</summary>
internal static class RuleIds
{
    internal const string DoubleReturn = "TARN001";
}
