using System;
using System.Collections.Generic;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Flow;

/// <summary>With which buffers a method is left, exit by exit.</summary>
/// <remarks>
/// A buffer is lost at an exit when every path that comes to it has it and has not returned it. Code that got it meanwhile may have kept it;
/// but what a method got and was returned afterwards, it only borrowed. A return that stands under a condition of its own is
/// one that need not be: what the condition says is not understood, so nothing is said of that buffer.
/// </remarks>
internal sealed class Exits
{
    private readonly Dictionary<(ResourceInfo Resource, int Exit), Tally> _tallies = [];
    private readonly Dictionary<ResourceInfo, SyntaxNode> _returned = [];
    private readonly HashSet<ResourceInfo> _conditional = [];
    private readonly HashSet<ResourceInfo> _thrown = [];

    /// <summary>Who got buffers that were returned afterwards, so who does not keep them.</summary>
    private ulong _borrowers;

    /// <summary>A path ends with a buffer that was rented on it.</summary>
    internal void Leave(ResourceInfo resource, ResourceState state, int exit)
    {
        if (!_tallies.TryGetValue((resource, exit), out Tally? tally))
        {
            _tallies.Add((resource, exit), tally = new Tally());
        }

        if (state.Status == ResourceStatus.Rented && !state.IsShared)
        {
            tally.IsEverLost = true;
            tally.Borrowers |= state.Borrowers;
            return;
        }

        tally.IsEverWell = true;
        if (state.IsReturned)
        {
            _borrowers |= state.Borrowers;
        }
    }

    /// <summary>A path ends on which a field got another buffer in the place of one that was rented.</summary>
    internal void LeaveDropped(ResourceInfo resource, SyntaxNode successor, int exit, bool isReturned)
    {
        ResourceInfo dropped = resource with { Site = successor };
        if (!_tallies.TryGetValue((dropped, exit), out Tally? tally))
        {
            _tallies.Add((dropped, exit), tally = new Tally());
        }

        tally.IsEverLost |= !isReturned;
        tally.IsEverWell |= isReturned;
        if (_conditional.Contains(resource))
        {
            _conditional.Add(dropped);
        }
    }

    /// <summary>An exception leaves the method with a buffer that was rented and is nobody else's.</summary>
    internal void LeaveByException(ResourceInfo resource) => _thrown.Add(resource);

    /// <summary>A call returns a buffer.</summary>
    internal void ReturnedBy(SyntaxNode call, ResourceInfo resource)
    {
        if (!_returned.ContainsKey(resource))
        {
            _returned.Add(resource, call);
        }

        if (IsConditional(call, resource.Site))
        {
            _conditional.Add(resource);
        }
    }

    internal IEnumerable<Finding> GetCertain()
    {
        HashSet<ResourceInfo> lost = [];
        foreach (KeyValuePair<(ResourceInfo Resource, int Exit), Tally> pair in _tallies)
        {
            ResourceInfo resource = pair.Key.Resource;
            if (pair.Value is { IsEverLost: true, IsEverWell: false } tally
                && (tally.Borrowers & ~_borrowers) == 0
                && !_conditional.Contains(resource)
                && lost.Add(resource))
            {
                FindingKind kind = resource.Rent is { IsScarce: true } ? FindingKind.NotFreed : FindingKind.NotReturned;
                yield return new Finding(kind, resource.Site, null, resource.Name);
            }
        }

        foreach (ResourceInfo resource in _thrown)
        {
            if (!lost.Contains(resource) && _returned.TryGetValue(resource, out SyntaxNode? call))
            {
                yield return new Finding(FindingKind.LostWhenThrown, resource.Site, call, resource.Name);
            }
        }
    }

    /// <summary>Whether a return stands under a condition or in a loop that the rent does not, and the method goes on behind it.</summary>
    private static bool IsConditional(SyntaxNode call, SyntaxNode rent)
    {
        for (SyntaxNode? node = call; node.Parent is { } parent && !parent.Span.Contains(rent.Span); node = parent)
        {
            bool isConditional = parent switch
            {
                IfStatementSyntax { Condition: var condition } when condition != node => !IsNullCheck(condition) && !EndsByJump(node),
                SwitchSectionSyntax => !EndsByJump(parent),
                ConditionalExpressionSyntax or SwitchExpressionArmSyntax => true,
                WhileStatementSyntax or DoStatementSyntax or ForStatementSyntax or CommonForEachStatementSyntax => true,
                _ => false,
            };
            if (isConditional)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>What such conditions say is followed path by path.</summary>
    private static bool IsNullCheck(ExpressionSyntax condition) => condition switch
    {
        BinaryExpressionSyntax { RawKind: (int)SyntaxKind.NotEqualsExpression } binary =>
            binary.Right.IsKind(SyntaxKind.NullLiteralExpression) || binary.Left.IsKind(SyntaxKind.NullLiteralExpression),
        IsPatternExpressionSyntax { Pattern: UnaryPatternSyntax or RecursivePatternSyntax } => true,
        _ => false,
    };

    private static bool EndsByJump(SyntaxNode body) => body switch
    {
        BlockSyntax { Statements: { Count: > 0 } statements } => EndsByJump(statements[statements.Count - 1]),
        SwitchSectionSyntax { Statements: { Count: > 0 } statements } => statements[statements.Count - 1] is not BreakStatementSyntax && EndsByJump(statements[statements.Count - 1]),
        ElseClauseSyntax clause => EndsByJump(clause.Statement),
        ReturnStatementSyntax or ThrowStatementSyntax or BreakStatementSyntax or ContinueStatementSyntax or GotoStatementSyntax => true,
        YieldStatementSyntax { RawKind: (int)SyntaxKind.YieldBreakStatement } => true,
        _ => false,
    };

    private sealed class Tally
    {
        internal bool IsEverWell { get; set; }

        internal bool IsEverLost { get; set; }

        internal ulong Borrowers { get; set; }
    }
}
