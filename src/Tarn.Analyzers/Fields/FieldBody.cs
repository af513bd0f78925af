using Microsoft.CodeAnalysis;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Fields;

/// <summary>A body of code in a type: of a method, an accessor or an initializer.</summary>
/// <param name="Owner">The member.</param>
/// <param name="Root">The outermost operation.</param>
/// <param name="Known">The known symbols, with the options of its file.</param>
internal sealed record FieldBody(ISymbol Owner, IOperation Root, KnownSymbols Known);
