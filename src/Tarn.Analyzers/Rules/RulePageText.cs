using System;
using System.IO;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;

namespace Tarn.Analyzers.Rules;

/// <summary>What a rule finds and why it hurts, as its page says it. Editors and logs show it as the rule's description.</summary>
/// <remarks>The pages are resources of this assembly, read when a host asks for a description: compilers do so only for a log.</remarks>
internal sealed class RulePageText : LocalizableString
{
    private static readonly Regex s_sections = new(
        @"^## What it finds\n\n(.*?)\n\n## Why it hurts\n\n(.*?)\n\n## ", RegexOptions.Singleline | RegexOptions.Multiline);

    /// <summary>A line end inside a paragraph.</summary>
    private static readonly Regex s_wrap = new(@"(?<!\n)\n(?![\n|-])");

    /// <summary>Links to other pages, which a description cannot follow.</summary>
    private static readonly Regex s_link = new(@"\[([^\]]*)\]\([^)]*\)");

    private readonly string _id;

    private string? _text;

    internal RulePageText(string id)
    {
        _id = id;
    }

    /// <inheritdoc/>
    protected override string GetText(IFormatProvider? formatProvider) => _text ??= Read();

    /// <inheritdoc/>
    protected override int GetHash() => StringComparer.Ordinal.GetHashCode(_id);

    /// <inheritdoc/>
    protected override bool AreEqual(object? other) => other is RulePageText text && text._id == _id;

    private string Read()
    {
        using StreamReader reader = new(typeof(RulePageText).Assembly.GetManifestResourceStream(_id + ".md")!);
        Match sections = s_sections.Match(reader.ReadToEnd().Replace("\r\n", "\n"));
        string text = $"{sections.Groups[1].Value}\n\n{sections.Groups[2].Value}";
        return s_link.Replace(s_wrap.Replace(text, " "), "$1");
    }
}
