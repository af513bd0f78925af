using System.Collections.Generic;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace Tarn.Analyzers.Calls;

/// <summary>Answers what code a call runs, if it is in the compilation.</summary>
internal sealed class MethodBodies(Compilation compilation)
{
    /// <summary>The longest method that is read, in characters. Longer ones are rarely helpers, and take long.</summary>
    private const int MostCharacters = 12_000;

    private readonly Overrides _overrides = new(compilation);

    /// <summary>Returns the body of a method; null if calls may run another one, or if it is too long or not in the source.</summary>
    internal IOperation? Find(IMethodSymbol called)
    {
        IMethodSymbol method = Implementation(called);
        return MayBeOverridden(method) ? null : Read(method);
    }

    /// <summary>Returns the methods that a call of an overridable method may run; null if that cannot be seen.</summary>
    internal IReadOnlyList<IMethodSymbol>? FindOverrides(IMethodSymbol called) =>
        MayBeOverridden(Implementation(called)) ? _overrides.Of(Implementation(called)) : null;

    /// <summary>Returns the body of a method, which calls of it need not run; null if it is too long or not in the source.</summary>
    internal IOperation? Read(IMethodSymbol method)
    {
        if (method.IsAbstract || method.IsExtern || method.DeclaringSyntaxReferences.Length != 1)
        {
            return null;
        }

        SyntaxReference reference = method.DeclaringSyntaxReferences[0];
        if (reference.Span.Length > MostCharacters || !compilation.ContainsSyntaxTree(reference.SyntaxTree))
        {
            return null;
        }

#pragma warning disable RS1030 // The compilation of an analyzer shares its models with the compiler, so a body is bound only once.
        IOperation? body = compilation.GetSemanticModel(reference.SyntaxTree).GetOperation(reference.GetSyntax());
#pragma warning restore RS1030
        return body is IMethodBodyBaseOperation or ILocalFunctionOperation ? body : null;
    }

    /// <summary>Returns the outermost operation around one.</summary>
    internal static IOperation RootOf(IOperation operation)
    {
        while (operation.Parent is { } outer)
        {
            operation = outer;
        }

        return operation;
    }

    /// <summary>Returns the part of a method that has its body.</summary>
    internal static IMethodSymbol Implementation(IMethodSymbol method)
    {
        method = (method.ReducedFrom ?? method).OriginalDefinition;
        return method.PartialImplementationPart ?? method;
    }

    private static bool MayBeOverridden(IMethodSymbol method) =>
        (method.IsVirtual || method.IsOverride || method.IsAbstract)
        && !method.IsSealed
        && method.ContainingType is { IsSealed: false, IsValueType: false };
}
