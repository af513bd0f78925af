using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;
using Tarn.Analyzers.Rules;

namespace Tarn.Analyzers.Owners;

/// <summary>Finds structs that own a buffer and are copied, while the first of them lives on.</summary>
/// <remarks>The last use of a variable is a move, and so is a field that is written afterwards. Code of the struct itself is let alone.</remarks>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class OwnerCopyAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = ImmutableArray.Create(BufferRules.OwnerCopied);

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterCompilationStartAction(static start =>
        {
            if (KnownSymbols.TryCreate(start.Compilation) is not { } known)
            {
                return;
            }

            OwnerStructs owners = new(start.Compilation);
            start.RegisterOperationAction(
                context => Look(context, owners, known),
                OperationKind.VariableDeclarator,
                OperationKind.SimpleAssignment,
                OperationKind.Argument,
                OperationKind.Conversion,
                OperationKind.Return,
                OperationKind.Invocation,
                OperationKind.PropertyReference);
        });
    }

    private static void Look(OperationAnalysisContext context, OwnerStructs owners, KnownSymbols known)
    {
        (IOperation? source, string what) = context.Operation switch
        {
            IVariableDeclaratorOperation { Symbol: { RefKind: RefKind.None } local } declarator =>
                (Copied(declarator.GetVariableInitializer()?.Value, owners), $"copied to '{local.Name}'"),
            ISimpleAssignmentOperation { IsRef: false, Target: not IDiscardOperation } assignment =>
                (Copied(assignment.Value, owners), $"copied to '{OwnerUses.SymbolOf(assignment.Target)?.Name ?? assignment.Target.Syntax.ToString()}'"),
            IArgumentOperation { Parameter: { RefKind: RefKind.None } parameter } argument =>
                (Passed(argument, parameter, owners, known), $"passed by value to '{NameOf(parameter.ContainingSymbol)}'"),
            IConversionOperation { OperatorMethod: null, Type.IsReferenceType: true } conversion => (Boxed(conversion, owners), "boxed"),
            IReturnOperation { ReturnedValue: { } returned } => (Returned(returned, context.ContainingSymbol, owners), "copied by the return"),
            IInvocationOperation { TargetMethod: { Name: "Dispose", IsReadOnly: false } } call when call.Instance is { } instance && IsReadOnly(instance, context.ContainingSymbol, owners) =>
                (instance, "copied by the call of 'Dispose', as it is readonly here"),
            IInvocationOperation { TargetMethod.Name: not "Dispose", Instance: { } instance } => (Defaulted(instance, owners), "a default value"),
            IPropertyReferenceOperation { Property.Name: not "Length", Instance: { } instance } => (Defaulted(instance, owners), "a default value"),
            _ => (null, ""),
        };
        if (source is not null && OwnerUses.SymbolOf(source) is { } symbol && !IsInside(context.ContainingSymbol, source.Type))
        {
            context.ReportDiagnostic(Diagnostic.Create(BufferRules.OwnerCopied, source.Syntax.GetLocation(), symbol.Name, what));
        }
    }

    /// <summary>The variable of an owner type that a value is read from, if it is not moved by that.</summary>
    private static IOperation? Copied(IOperation? value, OwnerStructs owners)
    {
        while (value is IParenthesizedOperation or IConversionOperation { OperatorMethod: null, Conversion.IsIdentity: true })
        {
            value = value is IConversionOperation conversion ? conversion.Operand : ((IParenthesizedOperation)value).Operand;
        }

        return value is not null && owners.IsOwner(value.Type) && OwnerUses.LivesOn(value) ? value : null;
    }

    private static IOperation? Passed(IArgumentOperation argument, IParameterSymbol parameter, OwnerStructs owners, KnownSymbols known)
    {
        if (argument.ArgumentKind != ArgumentKind.Explicit || Copied(argument.Value, owners) is not { } source)
        {
            return null;
        }

        bool isOfBaseLibrary = KnownSymbols.IsOfBaseLibrary(parameter.ContainingSymbol);
        return known.TakesOwnership(parameter) ? (OwnerUses.IsUsing(source) ? source : null)
            : isOfBaseLibrary ? (IsKeptByCollection(parameter.ContainingSymbol) ? source : null)
            : known.Borrows(parameter) ? null
            : source;
    }

    private static bool IsKeptByCollection(ISymbol method) =>
        method.Name is "Add" or "TryAdd" or "Enqueue" or "Push" or "Insert" && method.ContainingNamespace.ToDisplayString().StartsWith("System.Collections", System.StringComparison.Ordinal);

    /// <summary>What is boxed for a method of the base library is looked at there, and let go.</summary>
    private static IOperation? Boxed(IConversionOperation conversion, OwnerStructs owners) =>
        conversion.Parent is IArgumentOperation argument && KnownSymbols.IsOfBaseLibrary(argument.Parameter?.ContainingSymbol)
            ? null
            : Copied(conversion.Operand, owners);

    /// <summary>A local is moved to the caller, unless its using disposes it; a field stays.</summary>
    private static IOperation? Returned(IOperation value, ISymbol method, OwnerStructs owners) =>
        method is IMethodSymbol { ReturnsByRef: false, ReturnsByRefReadonly: false } ? Copied(value, owners) : null;

    /// <summary>Whether a call that changes an owner is made on a copy of it, as it may not be changed where it is.</summary>
    private static bool IsReadOnly(IOperation instance, ISymbol method, OwnerStructs owners) =>
        owners.IsOwner(instance.Type) && !instance.Type!.IsReadOnly && instance switch
        {
            IFieldReferenceOperation { Field: { IsReadOnly: true } field } =>
                method is not IMethodSymbol { MethodKind: MethodKind.Constructor or MethodKind.StaticConstructor } || !SymbolEqualityComparer.Default.Equals(field.ContainingType, method.ContainingType),
            IParameterReferenceOperation { Parameter.RefKind: RefKind.In } => true,
            _ => false,
        };

    private static IOperation? Defaulted(IOperation instance, OwnerStructs owners) =>
        owners.IsEmptyByDefault(instance.Type) && OwnerUses.IsDefault(instance) ? instance : null;

    private static string NameOf(ISymbol method) => method is IMethodSymbol { MethodKind: MethodKind.Constructor } ? method.ContainingType.Name : method.Name;

    private static bool IsInside(ISymbol? symbol, ITypeSymbol? owner)
    {
        for (INamedTypeSymbol? type = symbol?.ContainingType; type is not null; type = type.ContainingType)
        {
            if (SymbolEqualityComparer.Default.Equals(type.OriginalDefinition, owner?.OriginalDefinition))
            {
                return true;
            }
        }

        return false;
    }
}
