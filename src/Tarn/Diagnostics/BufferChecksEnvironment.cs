namespace Tarn.Diagnostics;

/// <summary>Resolves <see cref="BufferChecks.FromEnvironment"/>.</summary>
internal static class BufferChecksEnvironment
{
    /// <summary>The environment variable that turns checks on for a whole process.</summary>
    internal const string Variable = "TARN_CHECKS";

    private const string Known = "none, returns, useAfterReturn, sampled, leaks, guard, all";

    private static readonly char[] s_separators = [',', ';', ' '];

    private static readonly BufferChecks s_fromEnvironment = Read(out s_complaint);

    private static readonly string? s_complaint;

    /// <summary>A message that names the variable's unknown words; null when there are none.</summary>
    internal static string? Complaint => s_complaint;

    /// <summary>Whether the variable asks for any check.</summary>
    internal static bool AsksForChecks => s_fromEnvironment != BufferChecks.None;

    /// <summary>Returns the checks that a source makes, given those that its options request.</summary>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="asked"/> has a flag that is not defined.</exception>
    internal static BufferChecks Resolve(BufferChecks asked, string argumentName)
    {
        const BufferChecks known = BufferChecks.All | BufferChecks.SampledLeaks | BufferChecks.GuardPages | BufferChecks.FromEnvironment;
        if ((asked & ~known) != 0)
        {
            throw new ArgumentOutOfRangeException(argumentName, asked, "Checks has an undefined flag: combine values of BufferChecks.");
        }

        BufferChecks own = asked & ~BufferChecks.FromEnvironment;
        return (asked & BufferChecks.FromEnvironment) != 0 ? own | s_fromEnvironment : own;
    }

    /// <summary>
    /// Parses the checks that a value names. Unknown words are ignored and reported, because a misspelt switch must not take a service
    /// down.
    /// </summary>
    /// <param name="value">The variable's value; null if it is not set.</param>
    /// <param name="complaint">
    /// A message that names the ignored words and the resulting checks; null when there are no unknown words.
    /// </param>
    internal static BufferChecks Parse(string? value, out string? complaint)
    {
        BufferChecks checks = BufferChecks.None;
        List<string> unknown = [];
        foreach (string word in (value ?? "").Split(s_separators, StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        {
            if (CheckOf(word) is { } check)
            {
                checks |= check;
            }
            else
            {
                unknown.Add(word);
            }
        }

        complaint = unknown.Count == 0
            ? null
            : $"{Variable}=\"{value}\": ignored {string.Join(", ", unknown.Select(static word => $"\"{word}\""))}; the checks are {Known}. "
                + $"In effect: {checks}.";
        return checks;
    }

    private static BufferChecks? CheckOf(string word)
    {
        if (word.Equals("sampled", StringComparison.OrdinalIgnoreCase))
        {
            return BufferChecks.SampledLeaks;
        }

        if (word.Equals("guard", StringComparison.OrdinalIgnoreCase))
        {
            return BufferChecks.GuardPages;
        }

        bool isName = Enum.TryParse(word, ignoreCase: true, out BufferChecks named) && named != BufferChecks.FromEnvironment;
        return isName && char.IsLetter(word[0]) ? named : null;
    }

    /// <summary>Reads the variable. Unknown words go to standard error here, and to event listeners as they attach.</summary>
    private static BufferChecks Read(out string? complaint)
    {
        BufferChecks checks = Parse(Uninterrupted.Get(static () => Environment.GetEnvironmentVariable(Variable)), out complaint);
        if (complaint is not null)
        {
            StandardError.WriteLine(complaint);
        }

        return checks;
    }
}
