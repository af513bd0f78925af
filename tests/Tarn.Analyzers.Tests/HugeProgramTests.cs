using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Tarn.Analyzers.Tests.Support;
using Tarn.Tests.Support;

namespace Tarn.Analyzers.Tests;

/// <summary>Programs that a generator may write: what they repeat takes neither all of the stack nor time without end.</summary>
/// <remarks>A stack that overflows ends the compiler. Sums did that once, and methods that call each other took minutes.</remarks>
public sealed class HugeProgramTests
{
    private const string Rent = "ArrayPool<byte>.Shared.Rent(9)";

    private const string Return = "ArrayPool<byte>.Shared.Return(b);";

    private const string Lost = "TARN011";

    /// <summary>Of the longest sums: each is more than a stack has room for if every term takes some.</summary>
    private static readonly int s_terms = StressLength.IsLong ? 20_000 : 8_000;

    /// <summary>
    /// Gets a name, the members of a type, and the rule that is reported in it; an empty one if nothing is. A question mark follows a rule
    /// that takes more stack than some systems give a thread.
    /// </summary>
    public static TheoryData<string, string, string> Programs => new()
    {
        { "sum", $"int M(byte[] a) {{ byte[] b = {Rent}; int n = {Repeat(s_terms, i => "b[0] + ")} 0; {Return} return n; }}", "" },
        { "text", $"string M(string s) {{ byte[] b = {Rent}; s = {Repeat(s_terms, i => "s + ")} b[0]; {Return} return s; }}", "" },
        { "chain", $"void M() {{ byte[] b = {Rent}; M0(b); }} {Repeat(500, i => Pass(i, i + 1))} {Borrow(500)}", "" },
        { "short chain", $"void M() {{ byte[] b = {Rent}; M0(b); }} {Repeat(30, i => Pass(i, i + 1))} {Borrow(30)}", Lost },
        { "chain of copies", $"void M() {{ byte[] b = {Rent}; C0(b); }} {Repeat(39, Copy)} void C39(byte[] b) => b[0] = 1;", Lost + "?" },
        { "doubled calls", $"void M() {{ byte[] b = {Rent}; M0(b); }} {Repeat(30, i => Pass(i, i + 1, i + 1))} {Borrow(30)}", Lost },
        { "calls of each other", $"void M() {{ byte[] b = {Rent}; M0(b); }} {Repeat(14, i => Pass(i, Others(i)))}", Lost },
        { "doubled results", $"void M() {{ byte[] b = Rent0(1); }} {Repeat(30, HandOn)} byte[] Rent30(int n) => {Rent};", Lost },
        { "long line of results", $"void M() {{ byte[] b = Rent0(1); }} {Repeat(500, HandOn)} byte[] Rent500(int n) => {Rent};", "" },
        {
            "doubled places",
            $"void M() {{ Rent0(out byte[] b, 1); }} {Repeat(30, Leave)} void Rent30(out byte[] b, int n) => b = {Rent};",
            Lost
        },
        {
            "doubled endings",
            $"void M() {{ byte[] b = {Rent}; {Return} E0(1); b[0] = 1; }} {Repeat(30, End)} void E30(int n) => throw new Exception();",
            ""
        },
        {
            "copies of a field's array",
            $"byte[]? _f; void M() {{ byte[]? b0 = {Rent}; {Repeat(500, i => $"byte[]? b{i + 1} = b{i} ?? null;")} _f = b500; }}",
            ""
        },
        {
            "handed back many times",
            $"byte[] B(byte[] b) => b; byte[] R() {{ byte[] b0 = {Rent}; {Repeat(200, i => $"byte[] b{i + 1} = B(b{i});")} return b200; }}"
                + "void M() { byte[] b = R(); }",
            ""
        },
    };

    /// <summary>Gets more of these programs, which take seconds each.</summary>
    public static TheoryData<string, string, string> LongPrograms => new()
    {
        {
            "condition of a dispose",
            $"internal sealed class D : IDisposable {{ bool _f = true; byte[] _b = {Rent}; public void Dispose() {{ "
                + $"if ({Repeat(8_000, i => "_f && ")} _f) ArrayPool<byte>.Shared.Return(_b); }} }}",
            "TARN005"
        },
        {
            "sum after a second return",
            $"int M(byte[] a) {{ byte[] b = {Rent}; "
                + $"int n = {Repeat(8_000, i => "a[0] + ")} 0; {Return} {Return} return n; }}",
            "TARN001?"
        },
    };

    [LongTheory]
    [MemberData(nameof(LongPrograms))]
    public Task Long_programs_are_analyzed(string name, string members, string expected) => AssertAnalyzedAsync(name, members, expected);

    [Theory]
    [MemberData(nameof(Programs))]
    public Task Generated_programs_are_analyzed(string name, string members, string expected) =>
        AssertAnalyzedAsync(name, members, expected);

    private static async Task AssertAnalyzedAsync(string name, string members, string expected)
    {
        // The analyzers get the stack that they have in a compiler: the one of a thread of the pool.
        CSharpCompilation compilation = Analyzed.Compile(
            [Analyzed.Parse($"using System; using System.Buffers; class C {{ {members} }}", $"{name}.cs")],
            OutputKind.DynamicallyLinkedLibrary);
        string[] found =
        [
            .. (await Task.Run(() => Analyzed.GetDiagnosticsAsync(compilation)))
                .Where(static diagnostic => diagnostic.Severity > DiagnosticSeverity.Hidden).Select(static diagnostic => diagnostic.Id),
        ];
        Assert.DoesNotContain(compilation.GetDiagnostics(), static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error);
        if (found.Length > 0 || !expected.EndsWith('?'))
        {
            Assert.Equal(expected.Length == 0 ? [] : [expected.TrimEnd('?')], found);
        }
    }

    private static string Repeat(int times, Func<int, string> text) => string.Concat(Enumerable.Range(0, times).Select(text));

    private static string Pass(int number, params int[] others) =>
        $"static void M{number}(byte[] b) {{ {string.Concat(others.Select(static other => $"if (b[0] == {other}) M{other}(b);"))} }}";

    private static string Copy(int number) =>
        $"void C{number}(byte[] b0) {{ {Repeat(100, i => $"byte[] b{i + 1} = b{i};")} C{number + 1}(b100); }}";

    private static string Borrow(int number) => $"static void M{number}(byte[] b) => b[0] = 1;";

    private static int[] Others(int number) => [.. Enumerable.Range(0, 14).Where(other => other != number)];

    private static string HandOn(int number) =>
        $"byte[] Rent{number}(int n) {{ if (n > {number}) return Rent{number + 1}(n); return Rent{number + 1}(0); }}";

    private static string Leave(int number) =>
        $"void Rent{number}(out byte[] b, int n) {{ if (n > {number}) Rent{number + 1}(out b, n); else Rent{number + 1}(out b, 0); }}";

    private static string End(int number) => $"void E{number}(int n) {{ if (n > {number}) E{number + 1}(n); else E{number + 1}(0); }}";
}
