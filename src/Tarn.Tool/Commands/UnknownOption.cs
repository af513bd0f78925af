using System.CommandLine;
using System.CommandLine.Parsing;

namespace Tarn.Tool.Commands;

/// <summary>Finds what was meant for an option, and would be taken for the name of a process or a file.</summary>
internal static class UnknownOption
{
    /// <summary>The first argument before any two dashes that begins with a dash; null if there is none.</summary>
    public static string? Find(ParseResult line)
    {
        HashSet<Token> before = new(
            line.Tokens.TakeWhile(static token => token.Type != TokenType.DoubleDash), ReferenceEqualityComparer.Instance);
        return line.CommandResult.Children.OfType<ArgumentResult>().SelectMany(static one => one.Tokens)
            .Where(one => before.Contains(one) && one.Value is ['-', _, ..]).Select(static one => one.Value).FirstOrDefault();
    }
}
