using System;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace Tarn.Analyzers.Rules;

/// <summary>
/// Links rules to their pages. Only a build knows where they are: the package has them, and its props name their folder to the compiler.
/// </summary>
internal static class RulePages
{
    private const string Property = "build_property.TarnRulePages";

    /// <summary>Returns the rule with a link to its page; without one if the build names no place.</summary>
    internal static DiagnosticDescriptor WithPage(this DiagnosticDescriptor rule, AnalyzerOptions options) =>
        options.AnalyzerConfigOptionsProvider.GlobalOptions.TryGetValue(Property, out string? pages)
        && Uri.TryCreate($"{pages.Trim().TrimEnd('/', '\\')}/{rule.Id}.md", UriKind.Absolute, out Uri? page)
            ? Link(rule, page.AbsoluteUri)
            : rule;

    private static DiagnosticDescriptor Link(DiagnosticDescriptor rule, string page) =>
        new(
            rule.Id,
            rule.Title,
            rule.MessageFormat,
            rule.Category,
            rule.DefaultSeverity,
            rule.IsEnabledByDefault,
            rule.Description,
            page,
            [.. rule.CustomTags]);
}
