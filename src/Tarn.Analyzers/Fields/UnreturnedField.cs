using Microsoft.CodeAnalysis;

namespace Tarn.Analyzers.Fields;

/// <summary>A field that gets a rented buffer which nobody returns.</summary>
/// <param name="Rent">The call that rents it.</param>
/// <param name="IsReplaced">Whether a method that puts another buffer into the field returns the one before.</param>
/// <param name="IsOnlyShaped">Whether only the shape of a type, or a method's name, shows that there is a pool.</param>
internal sealed record UnreturnedField(SyntaxNode Rent, bool IsReplaced, bool IsOnlyShaped);
