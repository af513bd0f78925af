using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Fields;

/// <summary>Finds returns of arrays that the type allocates itself: every array that it puts in the field is new.</summary>
internal static class AllocatedFields
{
    /// <summary>Returns the calls by which a Dispose method gives such an array to a pool. Other methods are not read for that.</summary>
    internal static IEnumerable<FieldReturn> FindReturned(IReadOnlyDictionary<IMethodSymbol, DisposeBody> bodies) =>
        bodies.Values.Where(static body => body.Method.Name is "Dispose" or "DisposeAsync" or "DisposeCore" or "DisposeAsyncCore")
            .SelectMany(static body => body.Returns)
            .Where(found => !found.IsOfElement && IsWrittenHere(found.Field) && IsAlwaysNew(found.Field, bodies.Values))
            .OrderBy(static found => found.Call.Syntax.SpanStart);

    private static bool IsWrittenHere(ISymbol field) => field switch
    {
        IFieldSymbol { DeclaredAccessibility: Accessibility.Private } => true,
        IPropertySymbol { SetMethod: null or { DeclaredAccessibility: Accessibility.Private } } => true,
        _ => false,
    }
        && field.DeclaringSyntaxReferences.All(static reference => reference.GetSyntax() switch
        {
            VariableDeclaratorSyntax { Initializer: var value } => value is null or { Value: ArrayCreationExpressionSyntax },
            PropertyDeclarationSyntax { Initializer: var value } => value is null or { Value: ArrayCreationExpressionSyntax },
            _ => false,
        })
        && field.ContainingType.DeclaringSyntaxReferences.Length == 1;

    private static bool IsAlwaysNew(ISymbol field, IEnumerable<DisposeBody> bodies)
    {
        bool isAllocated = false;
        foreach (DisposeBody body in bodies)
        {
            foreach (IOperation operation in body.Operations)
            {
                if (!IsSame(body.FieldOf(operation), field) || operation is ILocalReferenceOperation)
                {
                    continue;
                }

                bool? isNew = operation.Parent switch
                {
                    ISimpleAssignmentOperation { IsRef: false } assignment when assignment.Target == operation => IsNew(assignment.Value),
                    IAssignmentOperation assignment when assignment.Target == operation => false,
                    ITupleOperation or IArgumentOperation { Parameter.RefKind: RefKind.Ref or RefKind.Out } => false,
                    IVariableInitializerOperation { Parent: IVariableDeclaratorOperation { Symbol.RefKind: not RefKind.None } } => false,
                    IAddressOfOperation => false,
                    _ => null,
                };
                if (isNew == false)
                {
                    return false;
                }

                isAllocated |= isNew == true && !KnownSymbols.IsNull(((ISimpleAssignmentOperation)operation.Parent!).Value);
            }
        }

        return isAllocated;
    }

    private static bool IsNew(IOperation value) => KnownSymbols.WithoutConversions(value) switch
    {
        IArrayCreationOperation => true,
        IInvocationOperation call => KnownSymbols.ReturnsFreshArray(call.TargetMethod),
        _ => KnownSymbols.IsNull(value),
    };

    private static bool IsSame(ISymbol? one, ISymbol other) => SymbolEqualityComparer.Default.Equals(one, other);
}
