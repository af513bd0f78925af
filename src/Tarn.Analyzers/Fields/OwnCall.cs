using Microsoft.CodeAnalysis;

namespace Tarn.Analyzers.Fields;

/// <summary>A call of a method of the same object.</summary>
/// <param name="Site">The call, or the access of a property.</param>
/// <param name="Method">What is called.</param>
internal sealed record OwnCall(IOperation Site, IMethodSymbol Method);
