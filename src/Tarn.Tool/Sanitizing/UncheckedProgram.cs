using System.Text;
using System.Text.Json;
using Tarn.Sanitizing.Launching;
using Tarn.Tool.Reports;

namespace Tarn.Tool.Sanitizing;

/// <summary>Says why no process of a program loaded the sanitizer, or why what they found is not all known.</summary>
internal static class UncheckedProgram
{
    private const int MostNamed = 3;

    /// <summary>Returns a sentence that names the most likely reason.</summary>
    public static string Explain(string[] program)
    {
        if (IsHotReload(program))
        {
            return "dotnet watch sets its own startup hook, for hot reload, in place of the one that loads the checks. "
                + "Add --no-hot-reload.";
        }

        string? path = FindFile(program);
        if (path is null)
        {
            return General(program);
        }

        string stem = Path.Combine(Path.GetDirectoryName(path)!, Path.GetFileNameWithoutExtension(path));
        if (ForbidsHooks($"{path}.runtimeconfig.json") || ForbidsHooks($"{stem}.runtimeconfig.json"))
        {
            return $"{stem}.runtimeconfig.json sets System.StartupHookProvider.IsSupported to false, as trimmed programs have it. "
                + "Publish it without PublishTrimmed, or with <StartupHookSupport>true</StartupHookSupport>.";
        }

        return !HasManagedHost(path) && !File.Exists($"{stem}.dll")
            ? $"{path} is not a .NET program, or was compiled ahead of time (PublishAot), and started no .NET program."
            : General(program);
    }

    /// <summary>Returns which processes could not write all they had to say; null if all could.</summary>
    public static string? ExplainLoss(string reports) => ReportLoss.Read(reports) is { Count: > 0 } lost
        ? $"{Words.Count(lost.Count, "process", "processes")} ({string.Join(", ", lost.Take(MostNamed))}) could not write all that was "
            + $"found to {reports}, so this is no verdict. Its disk is full: set TMPDIR (TMP on Windows) to another."
        : null;

    private static string General(string[] program) =>
        $"{string.Join(' ', program)} started no process on .NET 8 or later besides the SDK's own, or it was trimmed, or compiled ahead of "
        + "time.";

    /// <summary>The program's own file: behind <c>dotnet</c> the first argument that is one.</summary>
    private static string? FindFile(string[] program) =>
        Path.GetFileNameWithoutExtension(program[0]) == "dotnet" ? program.Skip(1).FirstOrDefault(File.Exists)
        : File.Exists(program[0]) ? Path.GetFullPath(program[0])
        : null;

    private static bool IsHotReload(string[] program) =>
        Path.GetFileNameWithoutExtension(program[0]) == "dotnet" && program is [_, "watch", ..] && !program.Contains("--no-hot-reload");

    private static bool ForbidsHooks(string file)
    {
        if (!File.Exists(file))
        {
            return false;
        }

        using JsonDocument document = JsonDocument.Parse(File.ReadAllText(file));
        return document.RootElement.TryGetProperty("runtimeOptions", out JsonElement options)
            && options.TryGetProperty("configProperties", out JsonElement properties)
            && properties.TryGetProperty("System.StartupHookProvider.IsSupported", out JsonElement supported)
            && supported.ValueKind == JsonValueKind.False;
    }

    /// <summary>Hosts look for this library, whatever program they start.</summary>
    private static bool HasManagedHost(string path) =>
        File.ReadAllBytes(path).AsSpan().IndexOf(Encoding.ASCII.GetBytes("hostfxr_main")) >= 0;
}
