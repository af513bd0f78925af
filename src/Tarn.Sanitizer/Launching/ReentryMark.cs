using Tarn.Sanitizing.Platform;

namespace Tarn.Sanitizing.Launching;

/// <summary>
/// What a process leaves in its environment before it begins again, so that it does so once only, and so that the program then finds the
/// environment as it was.
/// </summary>
internal static class ReentryMark
{
    private const string Variable = "TARN_SANITIZE_AGAIN";

    /// <summary>Sets variables, and notes their old values under the id of the process that begins again.</summary>
    public static void Leave(IReadOnlyList<(string Name, string Value)> variables)
    {
        string old = string.Join('\n', variables.Select(one => $"{one.Name}={Environment.GetEnvironmentVariable(one.Name)}"));
        HostSystem.SetVariable(Variable, $"{HostSystem.ProcessMark}\n{old}");
        foreach ((string name, string value) in variables)
        {
            HostSystem.SetVariable(name, value);
        }
    }

    /// <summary>Returns whether this process began again, and sets its environment back if it did.</summary>
    public static bool Take()
    {
        if (Environment.GetEnvironmentVariable(Variable) is not { } mark)
        {
            return false;
        }

        string[] lines = mark.Split('\n');
        HostSystem.SetVariable(Variable, null);
        foreach (string[] old in lines.Skip(1).Select(line => line.Split('=', 2)).Where(old => old.Length == 2))
        {
            HostSystem.SetVariable(old[0], old[1] is { Length: > 0 } value ? value : null);
        }

        return lines[0] == HostSystem.ProcessMark;
    }
}
