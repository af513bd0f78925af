using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Tarn.Analyzers.Calls;

/// <summary>
/// Finds words in the text of files: to search the text once takes a small part of the time of a walk through the syntax of each method.
/// </summary>
/// <param name="parts">Words that may be a part of a longer one.</param>
/// <param name="wholes">Words that count only alone.</param>
internal sealed class SourceWords(string[] parts, string[] wholes)
{
    private readonly ConcurrentDictionary<SyntaxTree, int[]> _places = [];

    /// <summary>Returns whether a name in a piece of source is or contains one of the words.</summary>
    internal bool Name(SyntaxReference source)
    {
        int[] places = _places.GetOrAdd(source.SyntaxTree, Find);
        int first = Array.BinarySearch(places, source.Span.Start);
        SyntaxNode? root = null;
        for (int i = first < 0 ? ~first : first; i < places.Length && places[i] < source.Span.End; i++)
        {
            // The words also occur in comments and strings.
            SyntaxToken token = (root ??= source.SyntaxTree.GetRoot()).FindToken(places[i]);
            if (token.Span.Contains(places[i]) && token.Parent is SimpleNameSyntax)
            {
                return true;
            }
        }

        return false;
    }

    private int[] Find(SyntaxTree file)
    {
        string text = file.GetText().ToString();
        List<int> places = [];
        foreach (string word in parts)
        {
            Find(word, text, static (_, _, _) => true, places);
        }

        foreach (string word in wholes)
        {
            Find(word, text, static (text, start, end) => !IsOfWord(text, start - 1) && !IsOfWord(text, end), places);
        }

        places.Sort();
        return [.. places];
    }

    private static void Find(string word, string text, Func<string, int, int, bool> isCounted, List<int> places)
    {
        for (int at = text.IndexOf(word, StringComparison.Ordinal);
            at >= 0;
            at = text.IndexOf(word, at + word.Length, StringComparison.Ordinal))
        {
            if (isCounted(text, at, at + word.Length))
            {
                places.Add(at);
            }
        }
    }

    private static bool IsOfWord(string text, int index) =>
        index >= 0 && index < text.Length && (char.IsLetterOrDigit(text[index]) || text[index] == '_');
}
