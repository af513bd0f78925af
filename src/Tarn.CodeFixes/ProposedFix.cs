using Microsoft.CodeAnalysis;

namespace Tarn.CodeFixes;

/// <summary>A way to mend the code, to be offered if it compiles.</summary>
/// <param name="Title">What the user reads.</param>
/// <param name="Root">The file as it would be.</param>
internal sealed record ProposedFix(string Title, SyntaxNode Root);
