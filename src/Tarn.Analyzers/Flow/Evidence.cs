using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Tarn.Analyzers.Syntax;

namespace Tarn.Analyzers.Flow;

/// <summary>Answers which misuse every path to a place shows.</summary>
internal sealed class Evidence
{
    private readonly Dictionary<(FindingKind Kind, SyntaxNode Site, ResourceInfo? Resource), Tally> _tallies = [];
    private readonly HashSet<SyntaxNode> _validReturns = [];
    private readonly HashSet<SyntaxNode> _measured = [];
    private readonly Dictionary<Value, SyntaxNode> _results = [];
    private readonly HashSet<Finding> _reported = [];

    /// <summary>Records that a path reaches a place, with or without misuse.</summary>
    /// <param name="finding">The finding that would be reported.</param>
    /// <param name="isBad">Whether this path misuses the buffer.</param>
    /// <param name="resource">The buffer, if a path that arrives with another buffer is no evidence against the finding.</param>
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

    /// <summary>Records that a path reaches a correct return.</summary>
    internal void ObserveValidReturn(SyntaxNode site) => _validReturns.Add(site);

    /// <summary>Records that the method takes the real length of a buffer into account, not only the requested one.</summary>
    internal void RecordMeasured(SyntaxNode rent) => _measured.Add(rent);

    /// <summary>Records where a value is returned to the caller.</summary>
    internal void RecordResult(Value value, SyntaxNode site) => _results[value] = site;

    internal SyntaxNode? ResultOf(Value value) => _results.TryGetValue(value, out SyntaxNode? site) ? site : null;

    /// <summary>Reports a misuse that a single path proves.</summary>
    internal void Report(Finding finding) => _reported.Add(finding);

    /// <summary>Returns the misuse that every path to its place shows.</summary>
    internal IEnumerable<Finding> GetCertain() =>
        _tallies.Values
            .Where(static tally => !tally.IsEverClean)
            .Select(static tally => tally.Bad)
            .OfType<Finding>()
            .Select(bad => IsRefuted(bad) ? Weaken(bad) : bad)
            .OfType<Finding>()
            .Concat(_reported.Where(one => !IsWeaker(one)));

    /// <summary>Returns whether a finding that needs a rent to throw is certain without that, too.</summary>
    private bool IsWeaker(Finding finding) =>
        finding.Kind == FindingKind.LeftInCallersVariableIfRentThrows
        && _reported.Contains(finding with { Kind = FindingKind.LeftInCallersVariable });

    /// <summary>Returns what is left of a finding that is refuted on other paths; null if nothing is.</summary>
    private static Finding? Weaken(Finding bad) =>
        bad.Kind == FindingKind.NotRented && ReturnSyntax.ReturnsAny(bad.Site)
            ? bad with { Kind = FindingKind.NotRentedOnSomePath }
            : null;

    /// <summary>Returns whether another observation at the same place, or of the same rent, refutes a finding.</summary>
    private bool IsRefuted(Finding bad) => bad.Kind switch
    {
        FindingKind.DoubleReturn or FindingKind.NotRented => _validReturns.Contains(bad.Site),
        FindingKind.Oversized or FindingKind.OversizedLength => _measured.Contains(bad.Other!),
        _ => false,
    };

    private sealed class Tally
    {
        internal bool IsEverClean { get; set; }

        internal Finding? Bad { get; set; }
    }
}
