using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;
using Tarn.Analyzers.Rules;

namespace Tarn.Analyzers.Owners;

/// <summary>Finds structs that own a buffer and are copied while the original is still used.</summary>
/// <remarks>
/// The last use of a variable is a move, and so is a field that is written afterwards. Code of the struct itself is not checked.
/// </remarks>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class OwnerCopyAnalyzer : DiagnosticAnalyzer
{
    /// <summary>How the use of a default value is described in the message.</summary>
    private const string Default = "a default value, which owns no buffer";

    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = ImmutableArray.Create(BufferRules.OwnerCopied);

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterCompilationStartAction(static start =>
        {
            if (!OwnerStructs.Exist(start.Compilation))
            {
                return;
            }

            KnownSymbols known = KnownSymbols.Of(start.Compilation);
            OwnerStructs owners = new();
            start.RegisterOperationAction(
                context => Check(context, owners, known),
                OperationKind.VariableDeclarator,
                OperationKind.SimpleAssignment,
                OperationKind.Argument,
                OperationKind.Conversion,
                OperationKind.Return,
                OperationKind.Invocation,
                OperationKind.PropertyReference);
        });
    }

    private static void Check(OperationAnalysisContext context, OwnerStructs owners, KnownSymbols known)
    {
        (IOperation? source, string what) = context.Operation switch
        {
            IVariableDeclaratorOperation { Symbol: { RefKind: RefKind.None } local } declarator =>
                (Copied(declarator.GetVariableInitializer()?.Value, owners), $"copied to '{local.Name}'"),
            ISimpleAssignmentOperation { IsRef: false, Target: not IDiscardOperation and var target } assignment =>
                (Copied(assignment.Value, owners), $"copied to '{OwnerUses.SymbolOf(target)?.Name ?? target.Syntax.ToString()}'"),
            IArgumentOperation { Parameter: { RefKind: RefKind.None } parameter } argument =>
                (Passed(argument, parameter, owners, known), $"passed by value to '{NameOf(parameter.ContainingSymbol)}'"),
            IConversionOperation { OperatorMethod: null, Type.IsReferenceType: true } conversion => (Boxed(conversion, owners), "boxed"),
            IReturnOperation { ReturnedValue: { } returned } =>
                (Returned(returned, context.ContainingSymbol, owners), "copied by the return statement"),
            IInvocationOperation { TargetMethod: { Name: "Dispose", IsReadOnly: false }, Instance: { } instance }
                when IsReadOnly(instance, context.ContainingSymbol, owners) =>
                (instance, "readonly here and copied by the call of 'Dispose'"),
            IInvocationOperation { TargetMethod.Name: not "Dispose", Instance: { } instance } => (Defaulted(instance), Default),
            IPropertyReferenceOperation { Property.Name: not "Length", Instance: { } instance } => (Defaulted(instance), Default),
            _ => (null, ""),
        };
        if (source is not null && OwnerUses.SymbolOf(source) is { } symbol && !IsInside(context.ContainingSymbol, source.Type))
        {
            string message = what == Default ? what : what + ", so that two copies may return the same buffer";
            context.ReportDiagnostic(Diagnostic.Create(
                BufferRules.OwnerCopied.WithPage(context.Options), source.Syntax.GetLocation(), symbol.Name, message));
        }
    }

    /// <summary>Returns the variable of an owner type that a value is read from, unless the read moves it.</summary>
    private static IOperation? Copied(IOperation? value, OwnerStructs owners)
    {
        while (value is IConversionOperation { OperatorMethod: null, Conversion.IsIdentity: true } conversion)
        {
            value = conversion.Operand;
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
        method.Name is "Add" or "TryAdd" or "Enqueue" or "Push" or "Insert"
        && Namespaces.IsInside(method.ContainingNamespace, "System.Collections");

    /// <summary>Returns the value that a conversion boxes. Methods of the base library only read values boxed for them.</summary>
    private static IOperation? Boxed(IConversionOperation conversion, OwnerStructs owners) =>
        conversion.Parent is IArgumentOperation argument && KnownSymbols.IsOfBaseLibrary(argument.Parameter?.ContainingSymbol)
            ? null
            : Copied(conversion.Operand, owners);

    /// <summary>
    /// Returns the value that a return statement copies: a field stays, while a local moves unless its using disposes it.
    /// </summary>
    private static IOperation? Returned(IOperation value, ISymbol method, OwnerStructs owners) =>
        method is IMethodSymbol { ReturnsByRef: false, ReturnsByRefReadonly: false } ? Copied(value, owners) : null;

    /// <summary>Returns whether a call that changes an owner is made on a copy, because the owner is readonly.</summary>
    private static bool IsReadOnly(IOperation instance, ISymbol method, OwnerStructs owners) =>
        owners.IsOwner(instance.Type) && !instance.Type!.IsReadOnly && instance switch
        {
            IFieldReferenceOperation { Field: { IsReadOnly: true } field } =>
                method is not IMethodSymbol { MethodKind: MethodKind.Constructor or MethodKind.StaticConstructor }
                || !SymbolEqualityComparer.Default.Equals(field.ContainingType, method.ContainingType),
            IParameterReferenceOperation { Parameter.RefKind: RefKind.In } => true,
            _ => false,
        };

    private static IOperation? Defaulted(IOperation instance) =>
        OwnerStructs.IsEmptyByDefault(instance.Type) && OwnerUses.IsDefault(instance) ? instance : null;

    private static string NameOf(ISymbol method) =>
        method is IMethodSymbol { MethodKind: MethodKind.Constructor } ? method.ContainingType.Name : method.Name;

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
