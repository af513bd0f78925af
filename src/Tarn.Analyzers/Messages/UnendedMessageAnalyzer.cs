using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;
using Tarn.Analyzers.Rules;

namespace Tarn.Analyzers.Messages;

/// <summary>Finds messages in shared memory that are disposed and never passed, and rooms that are disposed and never committed.</summary>
/// <remarks>It looks at variables only. One that goes anywhere else may be ended there, so it is not reported.</remarks>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class UnendedMessageAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = ImmutableArray.Create(BufferRules.UnendedMessage);

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterCompilationStartAction(static start =>
        {
            if (start.Compilation.GetTypeByMetadataName("Tarn.SharedMemory.SharedMessage") is { } message
                && start.Compilation.GetTypeByMetadataName("Tarn.SharedMemory.SharedRoom") is { } room)
            {
                start.RegisterOperationBlockAction(block => Check(block, message, room));
            }
        });
    }

    private static void Check(OperationBlockAnalysisContext context, INamedTypeSymbol message, INamedTypeSymbol room)
    {
        HashSet<ILocalSymbol> disposed = new(SymbolEqualityComparer.Default);
        HashSet<ILocalSymbol> ended = new(SymbolEqualityComparer.Default);
        foreach (IOperation operation in context.OperationBlocks.SelectMany(static block => block.DescendantsAndSelf()))
        {
            if (operation is IUsingDeclarationOperation { DeclarationGroup: { } group })
            {
                NoteDeclared(group);
            }
            else if (operation is IUsingOperation { Resources: IVariableDeclarationGroupOperation resources })
            {
                NoteDeclared(resources);
            }
            else if (operation is ILocalReferenceOperation { IsDeclaration: false } use && IsOne(use.Local))
            {
                NoteUse(use);
            }
        }

        foreach (ILocalSymbol local in disposed.Where(local => !ended.Contains(local)))
        {
            bool isMessage = SymbolEqualityComparer.Default.Equals(local.Type, message);
            context.ReportDiagnostic(Diagnostic.Create(
                BufferRules.UnendedMessage.WithPage(context.Options),
                local.Locations[0],
                local.Name,
                isMessage ? "passed, so the next read returns it again" : "committed, so nothing is published",
                isMessage ? "Pass" : "Commit"));
        }

        bool IsOne(ILocalSymbol local) =>
            SymbolEqualityComparer.Default.Equals(local.Type, message) || SymbolEqualityComparer.Default.Equals(local.Type, room);

        void NoteDeclared(IVariableDeclarationGroupOperation group)
        {
            foreach (ILocalSymbol local in group.GetDeclaredVariables().Where(IsOne))
            {
                disposed.Add(local);
            }
        }

        void NoteUse(ILocalReferenceOperation use)
        {
            switch (use.Parent)
            {
                case IUsingOperation:
                case IInvocationOperation { TargetMethod.Name: "Dispose" } call when call.Instance == use:
                    disposed.Add(use.Local);
                    break;
                case IPropertyReferenceOperation:
                case IArgumentOperation { Parameter.RefKind: RefKind.Out }:
                    break;
                default:
                    ended.Add(use.Local);
                    break;
            }
        }
    }
}
