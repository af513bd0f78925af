using System.Globalization;
using Tarn.Torture.Findings;

namespace Tarn.Torture.Composed;

/// <summary>A program that failed, how, and what it did until then.</summary>
internal sealed record ComposedFailure(ComposedProgram Program, Exception Thrown, IReadOnlyList<string> Lines)
{
    private const int SignificantLetters = 80;

    /// <summary>What disagreed, without its numbers: another program with the same one fails in the same way.</summary>
    internal string Kind =>
        new([.. $"{Thrown.GetType().Name} {Thrown.Message}".Where(static c => char.IsLetter(c) || c is ' ').Take(SignificantLetters)]);

    internal FindingException ToException() => new(
        string.Create(
            CultureInfo.InvariantCulture,
            $"""
            The composed program of seed {Program.Seed} failed: {Thrown.Message}
            The company: {Program.Settings}
            The program that is left of it:
            {string.Join(Environment.NewLine, Lines)}
            """),
        Thrown);
}
