using Microsoft.CodeAnalysis;

namespace Tarn.Analyzers.Field;

/// <summary>A bug put into correct code.</summary>
/// <param name="Kind">What was done.</param>
/// <param name="Rule">The rule that finds it.</param>
/// <param name="Member">The member that was changed, in the file before the change.</param>
/// <param name="Place">The code that was changed, in the file before the change.</param>
/// <param name="Root">The root of the file after the change.</param>
internal sealed record Mutant(string Kind, string Rule, SyntaxNode Member, SyntaxNode Place, SyntaxNode Root);
