using System.IO.Enumeration;
using Tarn.Tool.Checking;

namespace Tarn.Tool.Sanitizing;

/// <summary>
/// The findings that a file excuses. A line is <c>kind:pattern</c>: the id of a kind or <c>*</c>, and a method, in which <c>*</c> stands
/// for any text. It excuses the findings of that kind with such a method on one of their stacks. <c>#</c> begins a comment.
/// </summary>
internal sealed class Suppressions
{
    private readonly List<(string Kind, string Pattern)> _lines = [];

    public static Suppressions None { get; } = new();

    /// <exception cref="InvalidDataException">A line is none; the message names it.</exception>
    public static Suppressions Read(string path)
    {
        var read = new Suppressions();
        foreach ((int index, string text) in File.ReadAllLines(path).Index())
        {
            string line = text.Split('#', 2)[0].Trim();
            if (line.Length == 0)
            {
                continue;
            }

            string[] parts = line.Split(':', 2, StringSplitOptions.TrimEntries);
            if (parts.Length != 2 || parts[1].Length == 0 || (parts[0] != "*" && !SanitizerKinds.Ids.Contains(parts[0])))
            {
                throw new InvalidDataException(
                    $"{path}({index + 1}): \"{line}\" is no suppression. Write kind:method, as in buffer-lost:My.Cache.*; "
                    + $"the kinds are *, {string.Join(", ", SanitizerKinds.Ids)}.");
            }

            read._lines.Add((parts[0], parts[1]));
        }

        return read;
    }

    public bool Excuse(SanitizerFinding finding)
    {
        string kind = ProblemRules.IdOf(finding.ToProblem(withTests: false).Kind);
        IEnumerable<string> methods = finding.First.At.Concat(finding.First.Returned).Concat(finding.First.Rented)
            .Select(frame => frame.Method);
        return _lines.Any(line => (line.Kind == "*" || line.Kind == kind)
            && methods.Any(method => FileSystemName.MatchesSimpleExpression(line.Pattern, method, ignoreCase: false)));
    }
}
