using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Calls;

/// <summary>Answers whether a variable that a using disposes can be misused at all, before the method's graph is made.</summary>
internal static class UsingUses
{
    /// <summary>
    /// Returns whether an object that a call handed out is only passed to calls that are done when the statement ends and hand out nothing
    /// but a number, so that nothing has its memory afterwards.
    /// </summary>
    /// <param name="local">The variable.</param>
    /// <param name="use">The using statement or declaration.</param>
    internal static bool IsOnlyLent(ILocalSymbol local, IOperation use)
    {
        IOperation body = MethodBodies.RootOf(use);
        foreach (IOperation operation in body.Descendants())
        {
            bool isLent = operation.Kind switch
            {
                OperationKind.VariableDeclarator => operation is not IVariableDeclaratorOperation { Symbol: { } declared } declarator
                    || !IsSame(declared, local)
                    || declarator.GetVariableInitializer()?.Value is IInvocationOperation or IAwaitOperation,
                OperationKind.LocalReference => operation is not ILocalReferenceOperation { Local: { } used }
                    || !IsSame(used, local)
                    || (IsLent(operation) && !CertainPlaces.IsInFunction(operation, body)),
                _ => true,
            };
            if (!isLent)
            {
                return false;
            }
        }

        return true;
    }

    private static bool IsSame(ILocalSymbol one, ILocalSymbol other) => SymbolEqualityComparer.Default.Equals(one, other);

    private static bool IsLent(IOperation reference)
    {
        if (reference.Parent is not IArgumentOperation { Parameter.RefKind: RefKind.None, Parent: IInvocationOperation call })
        {
            return false;
        }

        IOperation result = call;
        while (result.Parent is IAwaitOperation
            || (result.Parent is IInvocationOperation { TargetMethod: { } method } && KnownSymbols.OnlyWrapsTask(method)))
        {
            result = result.Parent;
        }

        return result.Type is { SpecialType: not (SpecialType.None or SpecialType.System_Object) };
    }
}
