using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Tarn.Analyzers.Tests.Fixes;
using Tarn.Analyzers.Tests.OddPrograms;
using Tarn.Analyzers.Tests.Support;
using Tarn.Tests.Support;

namespace Tarn.Analyzers.Tests;

/// <summary>Programs that nobody would write, and programs that are half written: no analyzer fails on them.</summary>
public sealed class OddProgramTests
{
    private static int BatchSize { get; } = StressLength.Times(10, 60);

    private const int KnownBatches = 12;

    /// <summary>Each fix compiles and analyzes its program again, so that fewer programs are fixed.</summary>
    private static int ProgramsToFix { get; } = StressLength.IsAsked ? 300 : 10;

    /// <summary>Long stress tests run all batches that are known to compile; other runs use some of them.</summary>
    private static int BatchesHere { get; } = StressLength.IsAsked ? KnownBatches : StressLength.IsLong ? 2 : 0;

    public static TheoryData<int> Batches =>
        [.. Enumerable.Range(0, BatchesHere).Select(static batch => batch * BatchSize), Random.Shared.Next(1 << 20)];

    [Theory]
    [MemberData(nameof(Batches))]
    public async Task Odd_programs_are_analyzed(int seed)
    {
        ImmutableArray<SyntaxTree> trees =
        [
            .. Enumerable.Range(seed, BatchSize).Select(static one => Analyzed.Parse(OddProgram.Type(one), $"Odd{one}.cs")),
            Analyzed.Parse(OddProgram.TopLevel(seed), "Top.cs"),
        ];
        CSharpCompilation compilation = Analyzed.Compile(trees, OutputKind.ConsoleApplication);
        string[] errors =
        [
            .. compilation.GetDiagnostics().Where(static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error)
                .Select(static diagnostic => diagnostic.ToString()),
        ];
        // The program of a new seed may break a language rule that the generator does not know. That is not an analyzer's failure.
        Assert.True(errors.Length == 0 || seed >= KnownBatches * BatchSize, string.Join(Environment.NewLine, errors));
        await AssertNoFailureAsync(compilation, seed);
    }

    [Theory]
    [MemberData(nameof(Batches))]
    public async Task Broken_programs_are_analyzed(int seed)
    {
        ImmutableArray<SyntaxTree> trees =
            [.. Enumerable.Range(seed, BatchSize).Select(static one => Analyzed.Parse(OddProgram.Broken(one), $"Broken{one}.cs"))];
        SyntaxTree[] bindable = [.. trees.Where(IsBindable)];
        Assert.InRange(bindable.Length, BatchSize - 6, BatchSize);
        await AssertNoFailureAsync(Analyzed.Compile([.. bindable], OutputKind.DynamicallyLinkedLibrary), seed);
    }

    [LongFact]
    public async Task Fixes_of_odd_programs_are_harmless()
    {
        List<string> applied = [];
        for (int seed = 0; seed < ProgramsToFix; seed++)
        {
            applied.AddRange(await FixRun.AssertHarmlessAsync(OddProgram.Type(seed)));
        }

        Assert.InRange(applied.Count, ProgramsToFix, int.MaxValue);
    }

    /// <summary>Returns whether the compiler itself does not fail on a broken program, as it does on some patterns with pointers.</summary>
    private static bool IsBindable(SyntaxTree tree)
    {
        try
        {
            Analyzed.Compile([tree], OutputKind.DynamicallyLinkedLibrary).GetDiagnostics();
            return true;
        }
        catch (Exception failure) when (failure is InvalidOperationException or NullReferenceException or ArgumentException)
        {
            return false;
        }
    }

    private static async Task AssertNoFailureAsync(CSharpCompilation compilation, int seed)
    {
        ImmutableArray<Diagnostic> diagnostics = await Analyzed.GetDiagnosticsAsync(compilation);
        Assert.All(
            diagnostics,
            diagnostic => Assert.True(diagnostic.Id.StartsWith("TARN", StringComparison.Ordinal), $"Seed {seed}: {diagnostic}"));
    }
}
