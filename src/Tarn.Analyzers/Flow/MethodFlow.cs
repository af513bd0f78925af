using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.FlowAnalysis;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Flow;

/// <summary>The misuse that shows on the paths of one method, or of a function inside of it.</summary>
internal static class MethodFlow
{
    /// <summary>So many blocks are looked at; larger methods are passed over.</summary>
    private const int MostBlocks = 600;

    /// <summary>What is certain; nothing for a method that has too many blocks or paths.</summary>
    internal static IEnumerable<Finding> Analyze(ControlFlowGraph graph, ISymbol method, KnownSymbols known)
    {
        if (graph.Blocks.Length > MostBlocks)
        {
            return [];
        }

        HashSet<string> written = WrittenInside(graph.OriginalOperation.Syntax);
        bool IsFollowed(ISymbol variable) =>
            variable.Kind == SymbolKind.Field
            || (SymbolEqualityComparer.Default.Equals(variable.ContainingSymbol, method) && !written.Contains(variable.Name));
        Origins origins = new();
        Evidence evidence = new();
        Interpreter interpreter = new(known, new VariableTable(IsFollowed), new ResourceTable(), new ConditionTable(graph), origins, evidence);
        return new Explorer(graph, interpreter, origins).TryRun()
            ? evidence.GetCertain().Concat(origins.GetCertain()).Distinct()
            : [];
    }

    /// <summary>Names that lambdas and local functions assign, or pass by reference: when that happens is not seen.</summary>
    private static HashSet<string> WrittenInside(SyntaxNode body)
    {
        HashSet<string> names = [];
        foreach (SyntaxNode function in body.DescendantNodes())
        {
            if (function is not (AnonymousFunctionExpressionSyntax or LocalFunctionStatementSyntax))
            {
                continue;
            }

            foreach (SyntaxNode node in function.DescendantNodes())
            {
                SyntaxNode? target = node switch
                {
                    AssignmentExpressionSyntax assignment => assignment.Left,
                    ArgumentSyntax { RefKindKeyword.RawKind: not (int)SyntaxKind.None } argument => argument.Expression,
                    PostfixUnaryExpressionSyntax postfix => postfix.Operand,
                    PrefixUnaryExpressionSyntax prefix => prefix.Operand,
                    _ => null,
                };
                foreach (IdentifierNameSyntax name in target?.DescendantNodesAndSelf().OfType<IdentifierNameSyntax>() ?? [])
                {
                    names.Add(name.Identifier.ValueText);
                }
            }
        }

        return names;
    }
}
