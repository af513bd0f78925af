namespace Tarn.Sanitizing.Launching;

/// <summary>What each process says about its start, for the tool: that its pools ask, or why they do not.</summary>
/// <param name="Process">The process's id.</param>
/// <param name="Refusal">Why the process is not checked; null if it is.</param>
/// <param name="Runtime">The version of its framework.</param>
/// <param name="Command">Its command line.</param>
internal sealed record LaunchLog(int Process, string? Refusal, string Runtime, string Command)
{
    /// <summary>The refusal of a process that the user did not ask for.</summary>
    public const string Unasked = "not asked for";

    private const string Extension = ".launch";

    /// <summary>Whether the process is not checked because the user wants others only.</summary>
    public bool IsUnasked => Refusal == Unasked;

    /// <summary>Adds a line about this process to the folder.</summary>
    public static void Write(string folder, string? refusal) => File.AppendAllLines(
        Path.Combine(folder, FormattableString.Invariant($"{Environment.ProcessId}{Extension}")),
        [string.Join('\t', OneLine(refusal ?? ""), Environment.Version, OneLine(string.Join(' ', Environment.GetCommandLineArgs())))]);

    /// <summary>Reads what all processes wrote.</summary>
    public static IReadOnlyList<LaunchLog> Read(string folder) =>
    [
        .. from path in Directory.GetFiles(folder, $"*{Extension}")
           from line in File.ReadAllLines(path)
           let parts = line.Split('\t', 3)
           where parts.Length == 3
           select new LaunchLog(
               int.TryParse(Path.GetFileNameWithoutExtension(path), out int id) ? id : 0,
               parts[0] is { Length: > 0 } refusal ? refusal : null,
               parts[1],
               parts[2]),
    ];

    private static string OneLine(string text) => text.ReplaceLineEndings(" ").Replace('\t', ' ');
}
