using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Tarn.Analyzers.Calls;
using Tarn.Analyzers.Known;
using Tarn.Analyzers.Rules;

namespace Tarn.Analyzers.Fields;

/// <summary>Finds private fields that get a rented buffer which no member of the type returns, or not when the type is disposed.</summary>
/// <remarks>
/// It examines one type as a whole. A type that can hand the buffer to other code is assumed to be correct. Nothing says when a type ends
/// that is not disposable, so that it may keep its buffer for good: that is information.
/// </remarks>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class UnreturnedFieldAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } =
        ImmutableArray.Create(BufferRules.NeverReturnedByType, BufferRules.NotReturnedByDispose, BufferRules.LastNeverReturned);

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterCompilationStartAction(static start =>
        {
            KnownSymbols known = KnownSymbols.Of(start.Compilation);
            MethodSummaries summaries = MethodSummaries.Of(start.Compilation);
            KnownInFiles inFiles = new(known);
            start.RegisterSymbolStartAction(type => Start(type, known, inFiles, summaries), SymbolKind.NamedType);
        });
    }

    private static void Start(
        SymbolStartAnalysisContext context, KnownSymbols known, KnownInFiles inFiles, MethodSummaries summaries)
    {
        INamedTypeSymbol type = (INamedTypeSymbol)context.Symbol;
        if (type.TypeKind is not (TypeKind.Class or TypeKind.Struct)
            || !type.DeclaringSyntaxReferences.Any(summaries.Renting.Name)
            || PooledTypes.GivesItselfAway(type))
        {
            return;
        }

        IFieldSymbol[] fields =
        [
            .. type.GetMembers().OfType<IFieldSymbol>().Where(field =>
                field is { IsStatic: false, DeclaredAccessibility: Accessibility.Private, AssociatedSymbol: null }
                && known.IsBuffer(field.Type)),
        ];
        if (fields.Length == 0)
        {
            return;
        }

        ConcurrentBag<FieldBody> bodies = [];
        context.RegisterOperationBlockAction(block =>
        {
            KnownSymbols here = inFiles.Of(block.OperationBlocks, block.Options);
            foreach (IOperation body in block.OperationBlocks.Select(MethodBodies.RootOf).Distinct())
            {
                bodies.Add(new FieldBody(block.OwningSymbol, body, here));
            }
        });
        context.RegisterSymbolEndAction(end =>
        {
            UnreturnedFields unreturned = new(type, bodies.ToArray(), summaries);
            foreach (IFieldSymbol field in unreturned.FindRented(fields))
            {
                if (unreturned.Find(field) is { } found)
                {
                    end.ReportDiagnostic(Diagnostic.Create(
                        (!found.IsReplaced ? BufferRules.NeverReturnedByType
                            : unreturned.IsDisposable ? BufferRules.NotReturnedByDispose
                            : BufferRules.LastNeverReturned).WithPage(end.Options),
                        found.Rent.GetLocation(),
                        unreturned.IsDisposable && !found.IsOnlyShaped ? DiagnosticSeverity.Warning : DiagnosticSeverity.Info,
                        additionalLocations: null,
                        properties: null,
                        field.Name,
                        type.Name,
                        field.Type is IArrayTypeSymbol ? "returns" : "disposes"));
                }
            }
        });
    }
}
