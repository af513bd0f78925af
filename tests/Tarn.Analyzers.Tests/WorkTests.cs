using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.FlowAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Calls;
using Tarn.Analyzers.Flow;
using Tarn.Analyzers.Known;
using Tarn.Analyzers.Tests.Support;

namespace Tarn.Analyzers.Tests;

/// <summary>Long methods: following them takes bounded work, counted in states and operations.</summary>
public sealed class WorkTests
{
    private const int Branches = 40;

    /// <summary>Each buffer is rented or not, and returned or not, so that the number of paths doubles with each.</summary>
    [Fact]
    public void A_method_with_more_paths_than_can_be_followed_is_given_up()
    {
        Explorer explorer = Prepare(Repeat(static i => $"byte[]? b{i} = f[{i}] ? ArrayPool<byte>.Shared.Rent(9) : null;")
            + Repeat(static i => $"if (b{i} != null) ArrayPool<byte>.Shared.Return(b{i});"));
        Assert.False(explorer.TryRun());
        Assert.InRange(explorer.States, Explorer.MostStates + 1, Explorer.MostStates + 16);
    }

    [LongFact]
    public void Long_blocks_count_for_as_much_as_many_short_ones()
    {
        string statements = Repeat(static i => string.Concat(Enumerable.Repeat("b[0]++; n += b[0];", 10)));
        Explorer explorer = Prepare(
            "byte[] b = ArrayPool<byte>.Shared.Rent(9);"
            + Repeat(i => $"byte[]? c{i} = f[{i}] ? ArrayPool<byte>.Shared.Rent(9) : null; {statements}")
            + Repeat(static i => $"if (c{i} != null) ArrayPool<byte>.Shared.Return(c{i});")
            + "ArrayPool<byte>.Shared.Return(b);");
        Assert.False(explorer.TryRun());
        Assert.InRange(explorer.States, 1, Explorer.MostStates);
        Assert.InRange(explorer.Operations, Explorer.MostOperations + 1, Explorer.MostOperations + 1000);
    }

    [Fact]
    public void Branches_that_cannot_affect_a_buffer_do_not_multiply_paths()
    {
        AssertPathsJoin(
            "byte[] b = ArrayPool<byte>.Shared.Rent(9);"
            + Repeat(static i => $"bool g{i} = f[{i}]; if (g{i}) n += {i}; else n -= {i};")
            + Repeat(static i => $"if (g{i}) n += {i};")
            + "ArrayPool<byte>.Shared.Return(b);");
    }

    [Fact]
    public void Variables_that_only_hold_an_array_of_the_caller_do_not_multiply_paths()
    {
        AssertPathsJoin(
            "byte[] b = ArrayPool<byte>.Shared.Rent(9);"
            + Repeat(static i => $"byte[] c{i} = f[{i}] ? given : Other; b[0] = c{i}[0]; Use(c{i});")
            + "ArrayPool<byte>.Shared.Return(b);");
    }

    [Fact]
    public void Variables_that_a_call_makes_another_buffer_from_do_not_multiply_paths()
    {
        AssertPathsJoin(
            "byte[] b = ArrayPool<byte>.Shared.Rent(9);"
            + Repeat(static i => $"byte[] c{i} = f[{i}] ? given : Other; b = Join(b, c{i});")
            + "ArrayPool<byte>.Shared.Return(b);");
    }

    [Fact]
    public void Places_that_throw_after_a_return_do_not_multiply_paths_behind_a_handler()
    {
        AssertPathsJoin(
            "try { byte[] b = ArrayPool<byte>.Shared.Rent(9); ArrayPool<byte>.Shared.Return(b);"
            + Repeat(static _ => "Use(given);")
            + "} catch { "
            + Repeat(static i => $"if (f[{i}]) n += {i}; else n -= {i};")
            + "}");
    }

    [Fact]
    public void Finally_blocks_that_throw_in_a_loop_do_not_multiply_paths()
    {
        AssertPathsJoin(
            "byte[] b = ArrayPool<byte>.Shared.Rent(9); while (f[0]) {"
            + Repeat(static _ => "try { try { Use(given); } finally { Use(given); } } catch { n++; }")
            + "} ArrayPool<byte>.Shared.Return(b);",
            mostForBranch: 16);
    }

    [Fact]
    public void Arrays_made_with_the_length_of_a_buffer_do_not_multiply_paths()
    {
        AssertPathsJoin(
            "byte[] b = ArrayPool<byte>.Shared.Rent(9); int length = b.Length;"
            + Repeat(static i => $"byte[]? c{i} = f[{i}] ? new byte[length] : null;")
            + Repeat(static i => $"if (c{i} != null) n++;")
            + "ArrayPool<byte>.Shared.Return(b);");
    }

    [Fact]
    public void Exceptions_do_not_multiply_paths()
    {
        AssertPathsJoin(
            "byte[] b = ArrayPool<byte>.Shared.Rent(9); Exception? kept = new AggregateException(b.ToString());"
            + Repeat(static i => $"Exception? e{i} = f[{i}] ? new AggregateException(kept!) : null;")
            + Repeat(static i => $"if (e{i} != null) n++;")
            + "ArrayPool<byte>.Shared.Return(b);");
    }

    /// <summary>A method is followed whole, and the number of its states grows with its branches, not with its paths.</summary>
    private static void AssertPathsJoin(string body, int mostForBranch = 8)
    {
        Explorer explorer = Prepare(body);
        Assert.True(explorer.TryRun());
        Assert.InRange(explorer.States, Branches, Branches * mostForBranch);
    }

    private static string Repeat(Func<int, string> statement) => string.Concat(Enumerable.Range(0, Branches).Select(statement));

    private static Explorer Prepare(string body)
    {
        string source = string.Format(
            CultureInfo.InvariantCulture,
            """
            using System;
            using System.Buffers;
            abstract class C
            {{
                protected abstract byte[] Other {{ get; }}
                protected abstract void Use(byte[] array);
                protected abstract byte[] Join(byte[] one, byte[] other);
                protected void M(bool[] f, int n, byte[] given) {{ {0} }}
            }}
            """,
            body);
        CSharpCompilation compilation = Analyzed.Compile([Analyzed.Parse(source, "Long.cs")], OutputKind.DynamicallyLinkedLibrary);
        Assert.Empty(compilation.GetDiagnostics().Where(static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error));
        SemanticModel model = compilation.GetSemanticModel(compilation.SyntaxTrees[0]);
        MethodDeclarationSyntax method =
            compilation.SyntaxTrees[0].GetRoot().DescendantNodes().OfType<MethodDeclarationSyntax>().Single(static one => one.Body != null);
        ControlFlowGraph graph = ControlFlowGraph.Create(Assert.IsAssignableFrom<IMethodBodyOperation>(model.GetOperation(method)));
        KnownSymbols known = KnownSymbols.Of(compilation);
        MethodSummaries summaries = MethodSummaries.Of(compilation);
        return MethodFlow.Prepare(graph, model.GetDeclaredSymbol(method)!, known, summaries, isCoarse: false, out _)!;
    }
}
