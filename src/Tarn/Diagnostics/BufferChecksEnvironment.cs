namespace Tarn;

/// <summary>Resolves <see cref="BufferChecks.FromEnvironment"/>.</summary>
internal static class BufferChecksEnvironment
{
    /// <summary>The environment variable that turns checks on for a whole process.</summary>
    internal const string Variable = "TARN_CHECKS";

    private static readonly BufferChecks s_fromEnvironment = Parse(Environment.GetEnvironmentVariable(Variable));

    /// <summary>The checks a source makes, given those its options ask for.</summary>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="asked"/> has a bit that has no name.</exception>
    internal static BufferChecks Resolve(BufferChecks asked, string argumentName)
    {
        const BufferChecks known = BufferChecks.All | BufferChecks.SampledLeaks | BufferChecks.GuardPages | BufferChecks.FromEnvironment;
        if ((asked & ~known) != 0)
        {
            throw new ArgumentOutOfRangeException(argumentName, asked, "Checks has a flag that is not defined.");
        }

        BufferChecks own = asked & ~BufferChecks.FromEnvironment;
        return (asked & BufferChecks.FromEnvironment) != 0 ? own | s_fromEnvironment : own;
    }

    /// <summary>A value that cannot be read is none: a misspelt switch must not take a service down.</summary>
    internal static BufferChecks Parse(string? value)
    {
        BufferChecks checks = BufferChecks.None;
        foreach (string name in (value ?? "").Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        {
            if (name.Equals("sampled", StringComparison.OrdinalIgnoreCase))
            {
                checks |= BufferChecks.SampledLeaks;
            }
            else if (char.IsLetter(name[0]) && Enum.TryParse(name, ignoreCase: true, out BufferChecks named))
            {
                checks |= named;
            }
            else
            {
                return BufferChecks.None;
            }
        }

        return checks & ~BufferChecks.FromEnvironment;
    }
}
