using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.FlowAnalysis;
using Tarn.Analyzers.Known;
using Tarn.Analyzers.Syntax;

namespace Tarn.Analyzers.Flow;

/// <summary>Answers which buffers paths lose where they leave a method or a scope.</summary>
/// <remarks>
/// An exit loses a buffer when every path that reaches it with buffers has one that it did not return. Code that received a buffer may have
/// kept it, unless the buffer was returned afterwards: then the code only borrows. A return under a condition of its own may not take
/// place. The meaning of the condition is unknown, so that buffer is not reported.
/// </remarks>
internal sealed class Exits
{
    /// <summary>The first number of a scope, greater than the number of blocks of any method.</summary>
    private const int FirstScope = 1 << 16;

    private readonly Dictionary<int, List<IReadOnlyList<Departure>>> _exits = [];
    private readonly Dictionary<int, SyntaxNode> _places = [];
    private readonly HashSet<ResourceInfo> _returned = [];
    private readonly Dictionary<SyntaxNode, HashSet<ResourceInfo?>> _overwritten = [];
    private readonly HashSet<ResourceInfo> _conditional = [];
    private readonly HashSet<ResourceInfo> _kept = [];

    /// <summary>The methods that only borrow, because their buffers were returned afterwards; a bit for each.</summary>
    private ulong _borrowers;

    /// <summary>
    /// Returns the number of the exit that a branch takes from scopes of variables. Exits of methods have the numbers of their blocks.
    /// </summary>
    internal static int OfScope(ControlFlowBranch branch) =>
        (branch.Source.Ordinal * 2) + (branch.IsConditionalSuccessor ? 1 : 0) + FirstScope;

    /// <summary>Records the last code before an exit.</summary>
    internal void Place(int exit, SyntaxNode last) => _places[exit] = last;

    /// <summary>Records that a path ends with some buffers.</summary>
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

    /// <summary>Records that a variable gets another buffer and loses its previous one; null if it loses none.</summary>
    internal void Overwritten(SyntaxNode assignment, ResourceInfo? lost)
    {
        if (!_overwritten.TryGetValue(assignment, out HashSet<ResourceInfo?>? all))
        {
            _overwritten.Add(assignment, all = []);
        }

        all.Add(lost);
    }

    /// <summary>Records that no code can return a buffer, because nothing keeps it.</summary>
    internal void KeptForever(ResourceInfo resource) => _kept.Add(resource);

    /// <summary>Records that code asks whether a builder is empty: paths on which it is have no buffer to lose.</summary>
    internal void MayBeEmpty(ResourceInfo builder) => _conditional.Add(builder);

    /// <summary>Records that a call returns a buffer.</summary>
    internal void ReturnedBy(SyntaxNode call, ResourceInfo resource)
    {
        _returned.Add(resource);
        if (IsConditional(call, resource.Site))
        {
            _conditional.Add(resource);
        }
    }

    internal IEnumerable<Finding> GetCertain()
    {
        Dictionary<ResourceInfo, List<int>> exits = [];
        foreach (KeyValuePair<int, List<IReadOnlyList<Departure>>> exit in _exits)
        {
            foreach (ResourceInfo resource in LostAt(exit.Value))
            {
                (exits.TryGetValue(resource, out List<int>? all) ? all : exits[resource] = []).Add(exit.Key);
            }
        }

        HashSet<ResourceInfo> lost = [.. exits.Keys];
        lost.UnionWith(_overwritten.Values
            .Where(static all => !all.Contains(null))
            .SelectMany(static all => all)
            .OfType<ResourceInfo>()
            .Where(one => !_conditional.Contains(one)));
        foreach (ResourceInfo resource in lost)
        {
            bool isNever = IsNeverReturned(resource);
            if (resource.Rent is { MayBeNull: true } && !isNever && !IsCertain(resource))
            {
                // Whether there is a buffer at all depends on what else the method handed out.
                continue;
            }

            FindingKind kind = resource.Rent is { IsScarce: true } ? FindingKind.NotFreed
                : resource.Rent is { IsBuilder: true } ? FindingKind.BuilderNotReturned
                : isNever ? FindingKind.NeverReturned
                : FindingKind.NotReturned;
            yield return new Finding(kind, resource.Site, null, resource.Name)
            {
                Verb = VerbOf(resource.Kind),
                LostAt = exits.TryGetValue(resource, out List<int>? at) ? FirstLineOf(at, resource.Site) : 0,
            };
        }

        foreach (ResourceInfo resource in _kept.Where(resource => !lost.Contains(resource) && !_returned.Contains(resource)))
        {
            yield return new Finding(
                resource.Rent is { IsScarce: true } ? FindingKind.NotFreed : FindingKind.NeverReturned, resource.Site, null, resource.Name)
            {
                Verb = VerbOf(resource.Kind),
            };
        }
    }

    /// <summary>Returns the line of the first exit after a rent, or of the first in its loop; 0 if none has one.</summary>
    private int FirstLineOf(List<int> exits, SyntaxNode rent)
    {
        int[] lines = [.. exits.Where(_places.ContainsKey).Select(exit => LineOf(_places[exit])).OrderBy(static line => line)];
        return lines.Length == 0 ? 0 : lines.Where(line => line >= LineOf(rent)).DefaultIfEmpty(lines[0]).First();
    }

    private static int LineOf(SyntaxNode place) => place.GetLocation().GetLineSpan().EndLinePosition.Line + 1;

    /// <summary>Returns whether each path that loses a buffer asked for it.</summary>
    private bool IsCertain(ResourceInfo resource) =>
        _exits.Values.SelectMany(static paths => paths).SelectMany(static path => path)
            .All(departure => departure.Resource != resource || !IsLost(departure) || departure.IsCertain);

    private static string VerbOf(BufferKind kind) => kind switch
    {
        BufferKind.Array => "returned",
        BufferKind.Block => "freed",
        _ => "disposed",
    };

    /// <summary>Returns whether no path returns a buffer that the method rented, nor passes it on.</summary>
    private bool IsNeverReturned(ResourceInfo resource) =>
        resource.Rent is not null
        && !_returned.Contains(resource)
        && _exits.Values.SelectMany(static paths => paths).SelectMany(static path => path)
            .All(departure => departure.Resource != resource || IsLost(departure));

    /// <summary>
    /// Returns the buffers that are lost at an exit. If each path loses one, and the first was returned where another replaced it, only the
    /// first is reported: whether the other can exist at all depends on conditions whose meaning is unknown.
    /// </summary>
    private IEnumerable<ResourceInfo> LostAt(List<IReadOnlyList<Departure>> paths)
    {
        Departure[] all = [.. paths.SelectMany(static path => path)];
        HashSet<ResourceInfo> never = [.. all.Where(one => !IsLost(one)).Select(static one => one.Resource)];
        List<ResourceInfo> lost = [.. all.Where(IsLost).Select(static one => one.Resource).Distinct()];
        bool isEach = lost.Count > 0 && paths.All(path => path.Any(IsLost));
        ResourceInfo? first = isEach ? lost.OrderBy(static resource => resource.Site.SpanStart).First() : null;
        return lost.Where(resource =>
            resource == first
            || (!never.Contains(resource) && !(isEach && paths.Any(path => HasAfter(path, resource, first!)))));
    }

    /// <summary>Returns whether a buffer is on a path on which another was returned.</summary>
    private static bool HasAfter(IReadOnlyList<Departure> path, ResourceInfo resource, ResourceInfo other) =>
        path.Any(departure => departure.Resource == resource)
        && path.Any(departure => departure.Resource == other && departure.IsReturned);

    private bool IsLost(Departure departure) =>
        departure.IsLost && (departure.Borrowers & ~_borrowers) == 0 && !_conditional.Contains(departure.Origin);

    /// <summary>
    /// Returns whether a return is inside a condition or loop that does not contain the rent, and the method continues after it.
    /// </summary>
    private static bool IsConditional(SyntaxNode call, SyntaxNode rent)
    {
        for (SyntaxNode? node = call; node.Parent is { } parent && !parent.Span.Contains(rent.Span); node = parent)
        {
            bool? isConditional = parent switch
            {
                IfStatementSyntax { Condition: var condition } when condition != node =>
                    !ConditionSyntax.IsNullCheck(condition) && !EndsByJump(node),
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

    /// <summary>Returns whether the variable whose buffer a call returns gets another one after the call.</summary>
    private static bool IsReplaced(SyntaxNode call, SyntaxNode statement) =>
        ReturnSyntax.NameOf(call) is { } name
        && statement.Parent is BlockSyntax block
        && block.Statements.Any(next =>
            next.SpanStart > statement.SpanStart
            && next is ExpressionStatementSyntax { Expression: AssignmentExpressionSyntax { Left: IdentifierNameSyntax target } }
            && target.Identifier.ValueText == name);

    private static bool EndsByJump(SyntaxNode body) => body switch
    {
        BlockSyntax { Statements: { Count: > 0 } statements } => EndsByJump(statements[statements.Count - 1]),
        SwitchSectionSyntax { Statements: { Count: > 0 } statements } =>
            statements[statements.Count - 1] is not BreakStatementSyntax and var last && EndsByJump(last),
        ElseClauseSyntax clause => EndsByJump(clause.Statement),
        ReturnStatementSyntax or ThrowStatementSyntax or BreakStatementSyntax or ContinueStatementSyntax or GotoStatementSyntax => true,
        YieldStatementSyntax { RawKind: (int)SyntaxKind.YieldBreakStatement } => true,
        _ => false,
    };
}
