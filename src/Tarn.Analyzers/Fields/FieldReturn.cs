using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace Tarn.Analyzers.Fields;

/// <summary>A call that gives back what a field of the same object holds.</summary>
/// <param name="Call">The call.</param>
/// <param name="Field">The field, the automatic property or the captured parameter.</param>
internal sealed record FieldReturn(IInvocationOperation Call, ISymbol Field);
