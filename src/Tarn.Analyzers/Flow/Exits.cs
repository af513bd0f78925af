using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.FlowAnalysis;
using Tarn.Analyzers.Known;

namespace Tarn.Analyzers.Flow;

/// <summary>With which buffers a method is left, exit by exit.</summary>
/// <remarks>
/// An exit loses something when every path that comes to it with buffers has one that it did not return. Code that got a buffer meanwhile may
/// have kept it; but what a method got and was returned afterwards, it only borrowed. A return that stands under a condition of its own is
/// one that need not be: what the condition says is not understood, so nothing is said of that buffer.
/// </remarks>
internal sealed class Exits
{
    /// <summary>More than a method has blocks.</summary>
    private const int FirstScope = 1 << 16;

    private readonly Dictionary<int, List<IReadOnlyList<Departure>>> _exits = [];
    private readonly Dictionary<ResourceInfo, SyntaxNode> _returned = [];
    private readonly Dictionary<SyntaxNode, HashSet<ResourceInfo?>> _overwritten = [];
    private readonly HashSet<ResourceInfo> _conditional = [];
    private readonly HashSet<ResourceInfo> _thrown = [];

    /// <summary>Who got buffers that were returned afterwards, so who does not keep them.</summary>
    private ulong _borrowers;

    /// <summary>A number for the exit that a branch is from the blocks that declare variables; those of methods are the numbers of their blocks.</summary>
    internal static int OfScope(ControlFlowBranch branch) => (branch.Source.Ordinal * 2) + (branch.IsConditionalSuccessor ? 1 : 0) + FirstScope;

    /// <summary>A path ends with the buffers that were on it.</summary>
    internal void Leave(int exit, IReadOnlyList<Departure> departures)
    {
        if (departures.Count == 0)
        {
            return;
        }

        if (!_exits.TryGetValue(exit, out List<IReadOnlyList<Departure>>? paths))
        {
            _exits.Add(exit, paths = []);
        }

        paths.Add(departures);
        foreach (Departure departure in departures)
        {
            _borrowers |= departure.IsReturned ? departure.Borrowers : 0;
        }
    }

    /// <summary>A variable gets another buffer, and so loses one; null when it loses none.</summary>
    internal void Overwritten(SyntaxNode assignment, ResourceInfo? lost)
    {
        if (!_overwritten.TryGetValue(assignment, out HashSet<ResourceInfo?>? all))
        {
            _overwritten.Add(assignment, all = []);
        }

        all.Add(lost);
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
        HashSet<ResourceInfo> lost = [.. _exits.Values.SelectMany(LostAt)];
        lost.UnionWith(_overwritten.Values.Where(static all => !all.Contains(null)).SelectMany(static all => all).OfType<ResourceInfo>().Where(one => !_conditional.Contains(one)));
        foreach (ResourceInfo resource in lost)
        {
            FindingKind kind = resource.Rent is { IsScarce: true } ? FindingKind.NotFreed : FindingKind.NotReturned;
            yield return new Finding(kind, resource.Site, null, resource.Name);
        }

        foreach (ResourceInfo resource in _thrown)
        {
            if (!lost.Contains(resource) && _returned.TryGetValue(resource, out SyntaxNode? call))
            {
                yield return new Finding(FindingKind.LostWhenThrown, resource.Site, call, resource.Name);
            }
        }
    }

    /// <summary>
    /// The buffers that are lost at an exit. Where each path loses one, and the first was returned when another took its place, the first is
    /// spoken of: whether the other can be there at all depends on conditions that are not understood.
    /// </summary>
    private IEnumerable<ResourceInfo> LostAt(List<IReadOnlyList<Departure>> paths)
    {
        HashSet<ResourceInfo> never = [.. paths.SelectMany(static path => path).Where(one => !IsLost(one)).Select(static one => one.Resource)];
        List<ResourceInfo> lost = [.. paths.SelectMany(static path => path).Where(IsLost).Select(static one => one.Resource).Distinct()];
        bool isEach = lost.Count > 0 && paths.All(path => path.Any(IsLost));
        ResourceInfo? first = isEach ? lost.OrderBy(static resource => resource.Site.SpanStart).First() : null;
        return lost.Where(resource =>
            resource == first
            || (!never.Contains(resource) && !(isEach && paths.Any(path => Took(path, resource, first!)))));
    }

    /// <summary>Whether a buffer is on a path on which another was returned.</summary>
    private static bool Took(IReadOnlyList<Departure> path, ResourceInfo resource, ResourceInfo other) =>
        path.Any(departure => departure.Resource == resource) && path.Any(departure => departure.Resource == other && departure.IsReturned);

    private bool IsLost(Departure departure) =>
        departure.IsLost && (departure.Borrowers & ~_borrowers) == 0 && !_conditional.Contains(departure.Origin);

    /// <summary>Whether a return stands under a condition or in a loop that the rent does not, and the method goes on behind it.</summary>
    private static bool IsConditional(SyntaxNode call, SyntaxNode rent)
    {
        for (SyntaxNode? node = call; node.Parent is { } parent && !parent.Span.Contains(rent.Span); node = parent)
        {
            bool? isConditional = parent switch
            {
                IfStatementSyntax { Condition: var condition } when condition != node => !IsNullCheck(condition) && !EndsByJump(node),
                SwitchSectionSyntax => !EndsByJump(parent),
                BlockSyntax when IsReplaced(call, node) => null,
                ConditionalExpressionSyntax or SwitchExpressionArmSyntax => true,
                WhileStatementSyntax or DoStatementSyntax or ForStatementSyntax or CommonForEachStatementSyntax => true,
                _ => false,
            };
            if (isConditional != false)
            {
                return isConditional == true;
            }
        }

        return false;
    }

    /// <summary>Whether the variable whose buffer a call returns gets another one behind it.</summary>
    private static bool IsReplaced(SyntaxNode call, SyntaxNode statement) =>
        call is InvocationExpressionSyntax { ArgumentList.Arguments: { Count: > 0 } arguments }
        && arguments[0].Expression is IdentifierNameSyntax name
        && statement.Parent is BlockSyntax block
        && block.Statements.Any(next =>
            next.SpanStart > statement.SpanStart
            && next is ExpressionStatementSyntax { Expression: AssignmentExpressionSyntax { Left: IdentifierNameSyntax target } }
            && target.Identifier.ValueText == name.Identifier.ValueText);

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
}
