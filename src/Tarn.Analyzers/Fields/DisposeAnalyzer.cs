using System.Collections.Concurrent;
using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Known;
using Tarn.Analyzers.Rules;

namespace Tarn.Analyzers.Fields;

/// <summary>Finds fields whose buffer a second call of Dispose returns again, or which no pool handed out.</summary>
/// <remarks>
/// It examines one type as a whole, with all its parts that are not generated. It assumes that unseen code is correct: a method without a
/// body here, an object that was passed to other code, or a base class that may test a flag before it calls.
/// </remarks>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class DisposeAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } =
        ImmutableArray.Create(
            BufferRules.DisposeReturnsAgain, BufferRules.DisposeReturnsStreamAgain, BufferRules.LeftForDispose, BufferRules.WrongPool);

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterCompilationStartAction(static start =>
        {
            KnownInFiles known = new(KnownSymbols.Of(start.Compilation));
            start.RegisterSymbolStartAction(type => Start(type, known), SymbolKind.NamedType);
        });
    }

    private static void Start(SymbolStartAnalysisContext context, KnownInFiles known)
    {
        INamedTypeSymbol type = (INamedTypeSymbol)context.Symbol;
        if (!DisposeRoots.IsDisposable(type) || !HoldsBuffers(type))
        {
            return;
        }

        ConcurrentDictionary<IMethodSymbol, DisposeBody> bodies = new(SymbolEqualityComparer.Default);
        context.RegisterOperationBlockAction(block =>
        {
            if (block.OwningSymbol is IMethodSymbol method && SymbolEqualityComparer.Default.Equals(method.ContainingType, type))
            {
                bodies[method] = new DisposeBody(method, block.OperationBlocks, known.Of(block.OperationBlocks, block.Options));
            }
        });
        context.RegisterSymbolEndAction(end =>
        {
            DisposeChain chain = new(type, bodies);
            foreach (FieldReturn found in chain.FindRepeated())
            {
                DiagnosticDescriptor rule =
                    found.Field is IMethodSymbol ? BufferRules.DisposeReturnsStreamAgain : BufferRules.DisposeReturnsAgain;
                end.ReportDiagnostic(Diagnostic.Create(
                    rule.WithPage(end.Options),
                    found.Call.Syntax.GetLocation(),
                    IsGuardedAsFarAsPossible(type, found) ? DiagnosticSeverity.Info : BufferRules.DisposeReturnsAgain.DefaultSeverity,
                    additionalLocations: null,
                    properties: null,
                    found.Field.Name));
            }

            foreach (FieldReturn found in AllocatedFields.FindReturned(bodies))
            {
                end.ReportDiagnostic(Diagnostic.Create(
                    BufferRules.WrongPool.WithPage(end.Options), found.Call.Syntax.GetLocation(), found.Field.Name));
            }

            foreach (FieldReturn found in chain.FindLeft())
            {
                end.ReportDiagnostic(Diagnostic.Create(
                    BufferRules.LeftForDispose.WithPage(end.Options), found.Call.Syntax.GetLocation(), found.Field.Name));
            }
        });
    }

    /// <summary>Whether a readonly struct, which cannot clear its field, at least checks the field before it returns the buffer.</summary>
    private static bool IsGuardedAsFarAsPossible(INamedTypeSymbol type, FieldReturn found)
    {
        if (type is not { IsValueType: true, IsReadOnly: true })
        {
            return false;
        }

        for (IOperation? outer = found.Call.Parent; outer is not null; outer = outer.Parent)
        {
            if (outer is IConditionalOperation or IConditionalAccessOperation)
            {
                return true;
            }
        }

        return false;
    }

    private static bool HoldsBuffers(INamedTypeSymbol type) =>
        type.GetMembers().OfType<IFieldSymbol>().Any(static field => !field.IsStatic && IsBuffer(field.Type))
        || type.BaseType is { Name: "MemoryStream" }
        || (type.BaseType is { DeclaringSyntaxReferences.IsEmpty: false } ancestor && HoldsBuffers(ancestor))
        || type.InstanceConstructors.Any(static constructor => constructor.Parameters.Any(static parameter => IsBuffer(parameter.Type)));

    private static bool IsBuffer(ITypeSymbol type) =>
        type.TypeKind is TypeKind.Array or TypeKind.Pointer or TypeKind.TypeParameter
        || type is { SpecialType: SpecialType.System_IntPtr } or { Name: "ArraySegment" }
        || (type is INamedTypeSymbol named
            && named.TypeArguments.Any(static argument => argument is IArrayTypeSymbol or { Name: "ArraySegment" }));
}
