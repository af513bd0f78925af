using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace Tarn.Analyzers.Fields;

/// <summary>A call that gives back what a field of the same object holds.</summary>
/// <param name="Call">The call.</param>
/// <param name="Field">The field, the automatic property or the captured parameter.</param>
/// <param name="IsOfElement">Whether it is an element of a collection in the field that is given back, in a loop through all of
/// them.</param>
internal sealed record FieldReturn(IInvocationOperation Call, ISymbol Field, bool IsOfElement);
