using System.Globalization;

namespace Tarn.Tool.Analysis;

/// <summary>What identifies a call site, however its code is compiled, in one run and in several.</summary>
/// <param name="Methods">The first methods of the program itself: <see cref="CallSite.Identity"/>.</param>
/// <param name="Calls">The innermost calls of the program's own methods, as methods with lines; fewer where lines are unknown.</param>
internal sealed record SiteIdentity(string Methods, IReadOnlyList<string> Calls)
{
    /// <summary>The farthest that a statement beside another begins.</summary>
    private const int LinesBeside = 5;

    /// <summary>
    /// Whether two sites are one. A stack may lack the outer methods of a site, where an asynchronous method goes on after an await. It
    /// may lack the innermost, where the compiler inlined it; then the call in its caller is the same, on its line or that of a statement
    /// beside it.
    /// </summary>
    public bool Is(SiteIdentity other) => IsPrefix(Methods, other.Methods) || IsPrefix(other.Methods, Methods)
        || IsDeeperThan(other) || other.IsDeeperThan(this);

    /// <summary>Whether the stack of this one has methods that the compiler inlined in the other.</summary>
    public bool IsDeeperThan(SiteIdentity other) => other.Calls.Count > 0 && Calls.Skip(1).Any(call => AreBeside(call, other.Calls[0]));

    private static bool IsPrefix(string shorter, string longer) => longer.StartsWith(shorter, StringComparison.Ordinal)
        && (longer.Length == shorter.Length || longer[shorter.Length..].StartsWith(CallSite.From, StringComparison.Ordinal));

    private static bool AreBeside(string call, string other) => Parse(call) is { } one && Parse(other) is { } two
        && one.Method == two.Method && Math.Abs(one.Line - two.Line) <= LinesBeside;

    private static (string Method, int Line)? Parse(string call) =>
        call.LastIndexOf(':') is > 0 and var colon
            && int.TryParse(call.AsSpan(colon + 1), NumberStyles.None, CultureInfo.InvariantCulture, out int line)
            ? (call[..colon], line)
            : null;
}
