using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Tarn.Analyzers.Flow;

/// <summary>Answers whether every path from a return, a handler or an iteration of a loop ends in misuse.</summary>
/// <remarks>
/// A path begins at the return. It restarts in the handler that an exception leads to, and where a loop begins another iteration, because
/// neither depends on other conditions. Misuse on all paths from an origin is certain. Misuse on only some of them may depend on conditions
/// that cannot be true together, so it is not reported.
/// </remarks>
internal sealed class Origins
{
    /// <summary>The origin of all paths on which nothing holds the returned resource any more, so that they end without misuse.</summary>
    internal const int Settled = -1;

    private readonly Dictionary<(int Resource, SyntaxNode Site, int Place, SyntaxNode? Cause, bool IsOfRent), int> _indices = [];
    private readonly List<Origin> _origins = [];

    /// <summary>Returns the origin of a path that begins at the return of a resource.</summary>
    internal int AtReturn(int resource, SyntaxNode site) => Get(resource, site, -1, null, isOfRent: false);

    /// <summary>Returns the origin of a path that restarts at a block.</summary>
    /// <param name="origin">The origin before.</param>
    /// <param name="block">The first block of a handler, or the block that decides to repeat a loop.</param>
    /// <param name="cause">The code that threw; null for a loop.</param>
    /// <param name="isRent">Whether the code that threw rents a buffer, which throws only when memory runs out.</param>
    internal int Restart(int origin, int block, SyntaxNode? cause, bool isRent) =>
        Get(_origins[origin].Resource, _origins[origin].Site, block, cause, isRent);

    /// <summary>Gets the return on the path.</summary>
    internal SyntaxNode SiteOf(int origin) => _origins[origin].Site;

    /// <summary>Returns whether the path begins at a handler or loop, not at the return itself.</summary>
    internal bool IsRestart(int origin) => origin != Settled && _origins[origin].Place >= 0;

    /// <summary>Returns whether the path begins where a rent threw, which happens only when memory runs out.</summary>
    internal bool IsOfRent(int origin) => origin != Settled && _origins[origin].IsOfRent;

    /// <summary>Records that a path ended without misuse.</summary>
    internal void EndClean(int origin)
    {
        if (origin != Settled)
        {
            _origins[origin].EndsClean = true;
        }
    }

    /// <summary>Records that a path reached misuse.</summary>
    internal void Report(int origin, Finding finding) => _origins[origin].Findings.Add(finding);

    /// <summary>Returns the misuse that every path from some origin runs into.</summary>
    internal IEnumerable<Finding> GetCertain()
    {
        HashSet<Finding> certain =
            [.. _origins.Where(static origin => origin is { EndsClean: false, IsOfRent: false }).SelectMany(FindingsOf)];
        return certain.Concat(_origins.Where(static origin => origin is { EndsClean: false, IsOfRent: true })
            .SelectMany(FindingsOf)
            .Where(finding => !certain.Contains(finding))
            .Select(static finding =>
                finding.Kind == FindingKind.DoubleReturn ? finding with { Kind = FindingKind.DoubleReturnIfRentThrows } : finding));
    }

    private static IEnumerable<Finding> FindingsOf(Origin origin) => origin.Findings;

    private int Get(int resource, SyntaxNode site, int place, SyntaxNode? cause, bool isOfRent)
    {
        if (!_indices.TryGetValue((resource, site, place, cause, isOfRent), out int index))
        {
            index = _origins.Count;
            _indices.Add((resource, site, place, cause, isOfRent), index);
            _origins.Add(new Origin(resource, site, place, isOfRent));
        }

        return index;
    }

    private sealed class Origin(int resource, SyntaxNode site, int place, bool isOfRent)
    {
        internal int Resource { get; } = resource;

        internal SyntaxNode Site { get; } = site;

        internal int Place { get; } = place;

        internal bool EndsClean { get; set; }

        internal bool IsOfRent { get; } = isOfRent;

        internal HashSet<Finding> Findings { get; } = [];
    }
}
