using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Tarn.Analyzers.Flow;

/// <summary>What the paths of a method have shown, place by place.</summary>
internal sealed class Evidence
{
    private readonly Dictionary<(FindingKind Kind, SyntaxNode Site, ResourceInfo? Resource), Tally> _tallies = [];
    private readonly HashSet<SyntaxNode> _validReturns = [];
    private readonly HashSet<SyntaxNode> _measured = [];
    private readonly Dictionary<Value, SyntaxNode> _results = [];
    private readonly HashSet<Finding> _reported = [];

    /// <summary>A path comes to a place, in misuse or not.</summary>
    /// <param name="finding">What would be told.</param>
    /// <param name="isBad">Whether this path is in misuse.</param>
    /// <param name="resource">The buffer, when another one at the same place is no evidence against it.</param>
    internal void Observe(Finding finding, bool isBad, ResourceInfo? resource = null)
    {
        (FindingKind Kind, SyntaxNode Site, ResourceInfo? Resource) key = (finding.Kind, finding.Site, resource);
        if (!_tallies.TryGetValue(key, out Tally? tally))
        {
            _tallies.Add(key, tally = new Tally());
        }

        tally.IsEverClean |= !isBad;
        if (isBad)
        {
            tally.Bad ??= finding;
        }
    }

    /// <summary>A path comes to a place where a buffer is returned, and all is well.</summary>
    internal void ObserveValidReturn(SyntaxNode site) => _validReturns.Add(site);

    /// <summary>The method reckons with the length that a buffer really has, not with what it asked for.</summary>
    internal void RecordMeasured(SyntaxNode rent) => _measured.Add(rent);

    /// <summary>A value is returned to the caller.</summary>
    internal void RecordResult(Value value, SyntaxNode site) => _results[value] = site;

    internal SyntaxNode? ResultOf(Value value) => _results.TryGetValue(value, out SyntaxNode? site) ? site : null;

    /// <summary>A misuse that one path is enough to show.</summary>
    internal void Report(Finding finding) => _reported.Add(finding);

    /// <summary>What is true of each path that comes to a place.</summary>
    internal IEnumerable<Finding> GetCertain() =>
        _tallies.Values.Where(tally => !tally.IsEverClean && tally.Bad is { } bad && !(bad.Kind is FindingKind.DoubleReturn or FindingKind.NotRented && _validReturns.Contains(bad.Site)))
            .Select(static tally => tally.Bad!)
            .Where(bad => !(bad.Kind is FindingKind.Oversized or FindingKind.OversizedLength && _measured.Contains(bad.Other!)))
            .Concat(_reported);

    private sealed class Tally
    {
        internal bool IsEverClean { get; set; }

        internal Finding? Bad { get; set; }
    }
}
