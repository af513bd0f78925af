namespace Tarn.CodeFixes;

/// <summary>
/// The ids of the rules that have fixes. The assembly that declares the rules runs in compilers and is not referenced here.
/// </summary>
internal static class RuleIds
{
    internal const string DoubleReturn = "TARN001";
    internal const string UseAfterReturn = "TARN002";
    internal const string Escape = "TARN003";
    internal const string DisposeReturnsAgain = "TARN005";
    internal const string ReturnedWhileInUse = "TARN006";
    internal const string Oversized = "TARN007";
    internal const string ReferencesUncleared = "TARN009";
    internal const string NotReturned = "TARN011";
}
