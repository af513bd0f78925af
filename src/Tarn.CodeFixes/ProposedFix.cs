using Microsoft.CodeAnalysis;

namespace Tarn.CodeFixes;

/// <summary>Describes a proposed change, which is offered if it compiles.</summary>
/// <param name="Title">The title that the user reads.</param>
/// <param name="Root">The changed file.</param>
internal sealed record ProposedFix(string Title, SyntaxNode Root);
