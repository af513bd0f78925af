using Microsoft.CodeAnalysis;

namespace Tarn.Analyzers.Fields;

/// <summary>A call of a method of the same object.</summary>
/// <param name="Site">The call, or the access to a property.</param>
/// <param name="Method">The called method.</param>
internal sealed record OwnCall(IOperation Site, IMethodSymbol Method);
