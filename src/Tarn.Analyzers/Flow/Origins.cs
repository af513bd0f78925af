using System.Collections.Generic;
using Microsoft.CodeAnalysis;

namespace Tarn.Analyzers.Flow;

/// <summary>Where paths with a returned resource begin, and how they end: in misuse, or well.</summary>
/// <remarks>
/// A path begins at the return; anew in the handler that an exception leads to, and anew where a loop begins again, as neither is a decision that hangs together with
/// others. What happens on all paths from a beginning does happen; what happens on some of them may depend on conditions that cannot be
/// true together, so it is not spoken of.
/// </remarks>
internal sealed class Origins
{
    private readonly Dictionary<(int Resource, SyntaxNode Site, int Place, SyntaxNode? Cause), int> _indices = [];
    private readonly List<Origin> _origins = [];

    /// <summary>The path begins at the return of a resource.</summary>
    internal int AtReturn(int resource, SyntaxNode site) => Get(resource, site, -1, null);

    /// <summary>The path of another origin begins anew at a block.</summary>
    /// <param name="origin">The other.</param>
    /// <param name="block">The first block of a handler, or the block that decides to stay in a loop.</param>
    /// <param name="cause">What threw; null for a loop.</param>
    internal int Restart(int origin, int block, SyntaxNode? cause) => Get(_origins[origin].Resource, _origins[origin].Site, block, cause);

    /// <summary>The return on the path.</summary>
    internal SyntaxNode SiteOf(int origin) => _origins[origin].Site;

    /// <summary>Whether the path begins at a handler or loop, not at the return itself.</summary>
    internal bool IsRestart(int origin) => _origins[origin].Place >= 0;

    /// <summary>A path ended without misuse.</summary>
    internal void EndClean(int origin) => _origins[origin].EndsClean = true;

    /// <summary>A path came to misuse.</summary>
    internal void Report(int origin, Finding finding) => _origins[origin].Findings.Add(finding);

    /// <summary>What happens on all paths from some origin.</summary>
    internal IEnumerable<Finding> GetCertain()
    {
        foreach (Origin origin in _origins)
        {
            if (origin.EndsClean)
            {
                continue;
            }

            foreach (Finding finding in origin.Findings)
            {
                yield return finding;
            }
        }
    }

    private int Get(int resource, SyntaxNode site, int place, SyntaxNode? cause)
    {
        if (!_indices.TryGetValue((resource, site, place, cause), out int index))
        {
            index = _origins.Count;
            _indices.Add((resource, site, place, cause), index);
            _origins.Add(new Origin(resource, site, place));
        }

        return index;
    }

    private sealed class Origin(int resource, SyntaxNode site, int place)
    {
        internal int Resource { get; } = resource;

        internal SyntaxNode Site { get; } = site;

        internal int Place { get; } = place;

        internal bool EndsClean { get; set; }

        internal HashSet<Finding> Findings { get; } = [];
    }
}
