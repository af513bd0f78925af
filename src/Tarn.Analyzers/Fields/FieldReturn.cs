using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace Tarn.Analyzers.Fields;

/// <summary>A call that returns the buffer in a field of the same object.</summary>
/// <param name="Call">The call.</param>
/// <param name="Field">The field, the automatic property or the captured parameter.</param>
/// <param name="IsOfElement">Whether the call returns an element of a collection in the field, in a loop over all elements.</param>
internal sealed record FieldReturn(IInvocationOperation Call, ISymbol Field, bool IsOfElement);
