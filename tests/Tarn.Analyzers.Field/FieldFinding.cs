using Microsoft.CodeAnalysis;

namespace Tarn.Analyzers.Field;

/// <summary>A report of the analyzer in a tree.</summary>
/// <param name="File">The file, from the root of the tree.</param>
/// <param name="Line">The line, from 1.</param>
/// <param name="Severity">The severity, as users meet it.</param>
/// <param name="Rule">The rule.</param>
/// <param name="Message">The message.</param>
/// <param name="Member">The name of the member, and of the types around it.</param>
/// <param name="Errors">How many errors the compiler has in the member: it lacks the tree's packages.</param>
internal sealed record FieldFinding(
    string File, int Line, DiagnosticSeverity Severity, string Rule, string Message, string Member, int Errors)
{
    public override string ToString() =>
        $"{File}:{Line}: {Severity} {Rule}: {Message}{(Errors > 0 ? $" [{Errors} errors]" : string.Empty)}";
}
