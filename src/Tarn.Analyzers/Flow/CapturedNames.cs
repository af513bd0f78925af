using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Tarn.Analyzers.Calls;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Flow;

/// <summary>Answers which variables of a method lambdas and local functions may keep, and which they assign.</summary>
internal sealed class CapturedNames
{
    private readonly SemanticModel? _model;
    private readonly KnownSymbols _known;
    private readonly MethodSummaries _summaries;
    private readonly Dictionary<string, List<SyntaxNode>> _functions = [];
    private readonly Dictionary<string, bool> _kept = [];
    private readonly HashSet<string> _written = [];

    /// <param name="body">The body of the method; null if there are no functions inside it.</param>
    /// <param name="known">The known symbols.</param>
    /// <param name="summaries">What called methods do.</param>
    internal CapturedNames(IOperation? body, KnownSymbols known, MethodSummaries summaries)
    {
        _model = body?.SemanticModel;
        _known = known;
        _summaries = summaries;
        foreach (SyntaxNode function in body?.Syntax.DescendantNodes().Where(Callbacks.IsFunction) ?? [])
        {
            foreach (SyntaxNode node in function.DescendantNodes())
            {
                Add(node, function);
            }
        }
    }

    /// <summary>
    /// Returns whether a function uses a variable, and it is not seen that each such function only works with it while the method runs.
    /// </summary>
    internal bool Contains(string name)
    {
        // A variable that the compiler makes, as for a lock, has no name.
        if (string.IsNullOrEmpty(name) || !_functions.TryGetValue(name, out List<SyntaxNode>? functions))
        {
            return false;
        }

        if (!_kept.TryGetValue(name, out bool isKept))
        {
            _kept.Add(name, isKept = !functions.All(function => Borrows(function, name)));
        }

        return isKept;
    }

    /// <summary>Returns whether a function assigns a variable or passes it by reference.</summary>
    internal bool AreWritten(string name) => _written.Contains(name);

    /// <summary>Returns whether a function is done with a captured variable when the method, or the call that gets it, ends.</summary>
    internal bool Borrows(SyntaxNode function, string variable) =>
        (Callbacks.RunWithinCall(function, _model) || Callbacks.IsOnlyCalled(function))
        && BorrowedCaptures.OnlyWorkWith(function, variable, _model!, _known, _summaries);

    private void Add(SyntaxNode node, SyntaxNode function)
    {
        if (node is IdentifierNameSyntax { Identifier.ValueText: var name })
        {
            if (!_functions.TryGetValue(name, out List<SyntaxNode>? all))
            {
                _functions.Add(name, all = []);
            }

            if (all.Count == 0 || all[all.Count - 1] != function)
            {
                all.Add(function);
            }
        }

        SyntaxNode? target = node switch
        {
            // An element that gets a value leaves its array where it is.
            AssignmentExpressionSyntax { Left: not ElementAccessExpressionSyntax } assignment => assignment.Left,
            ArgumentSyntax { RefKindKeyword.RawKind: not (int)SyntaxKind.None } argument => argument.Expression,
            PostfixUnaryExpressionSyntax postfix => postfix.Operand,
            PrefixUnaryExpressionSyntax prefix => prefix.Operand,
            _ => null,
        };
        if (target is not null)
        {
            _written.UnionWith(
                target.DescendantNodesAndSelf().OfType<IdentifierNameSyntax>().Select(static name => name.Identifier.ValueText));
        }
    }
}
