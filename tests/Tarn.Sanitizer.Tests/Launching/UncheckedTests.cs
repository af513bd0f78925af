using Tarn.Lab.Tests;

namespace Tarn.Sanitizing.Tests.Launching;

/// <summary>The summary speaks of what was checked, and names what was not.</summary>
public class UncheckedTests
{
    private const string Checked = "no error in what was checked; 0 buffers of 1 process checked; 1 process ";

    private static readonly string s_dotnet = Path.Combine(
        Path.GetFullPath(Path.Combine(Path.GetDirectoryName(typeof(object).Assembly.Location)!, "..", "..", "..")), "dotnet");

    [SkippableFact]
    public void A_tree_that_was_checked_whole_fails_nothing()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "other systems do not list processes in files");
        SanitizedRun run = Run("true", "--fail-on-unchecked");

        Assert.True(run.ExitCode == 0, run.Error);
        Assert.Contains("SUMMARY: tarn: no error; 0 buffers of 1 process checked\n", run.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("not checked", run.Error, StringComparison.Ordinal);
    }

    [SkippableFact]
    public void A_child_with_a_cleared_environment_is_in_the_summary()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "other systems do not list processes in files");
        AssertTells(
            Run($"env -i {s_dotnet} {SanitizedRun.Child} wait"),
            $"{SanitizedRun.Child} wait: its environment does not load the checks",
            "not checked");
    }

    [SkippableFact]
    public void A_sibling_without_startup_hooks_is_in_the_summary()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "other systems do not list processes in files");
        using var folder = new TemporaryDirectory();
        LaunchTests.CopyChild(folder.Path);
        string settings = folder.File("Tarn.Sanitizer.TestChild.runtimeconfig.json");
        File.WriteAllText(settings, File.ReadAllText(settings).Replace(
            "\"configProperties\": {",
            "\"configProperties\": { \"System.StartupHookProvider.IsSupported\": false,",
            StringComparison.Ordinal));

        AssertTells(Run($"dotnet {folder.File("Tarn.Sanitizer.TestChild.dll")} wait"), "it loads no startup hook", "not checked");
    }

    [SkippableFact]
    public void A_child_of_another_user_is_in_the_summary()
    {
        Skip.IfNot(OperatingSystem.IsLinux() && Environment.UserName == "root", "only root starts processes of others");
        AssertTells(
            Run($"setpriv --reuid 65534 --clear-groups {s_dotnet} {SanitizedRun.Child} wait"), "it runs as another user", "not checked");
    }

    [SkippableFact]
    public void What_outlives_the_program_is_in_the_summary()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "other systems do not list processes in files");
        AssertTells(Run("sleep 60 > /dev/null 2> /dev/null &"), "what it starts from here on is not seen", "still running");
    }

    [SkippableFact]
    public void What_the_user_did_not_ask_for_is_not_missed()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "other systems do not list processes in files");
        SanitizedRun run = SanitizedRun.Tool(
            "sanitize", "--fail-on-unchecked", "--process", "TestChild.dll exit", "--", "sh", "-c",
            $"dotnet {SanitizedRun.Child} exit 0; timeout 3 env -i {s_dotnet} {SanitizedRun.Child} wait; true");

        Assert.True(run.ExitCode == 0, run.Error);
        Assert.Contains("SUMMARY: tarn: no error; 0 buffers of 1 process checked\n", run.Error, StringComparison.Ordinal);
    }

    private static void AssertTells(SanitizedRun run, string reason, string what)
    {
        Assert.True(run.ExitCode == 0, run.Error);
        Assert.Contains($"tarn: {what}: process ", run.Error, StringComparison.Ordinal);
        Assert.Contains(reason, run.Error, StringComparison.Ordinal);
        Assert.Contains($"SUMMARY: tarn: {Checked}{what}\n", run.Error, StringComparison.Ordinal);
    }

    /// <summary>A shell that starts a program which is checked, then another, which lives long enough to be seen on any machine.</summary>
    private static SanitizedRun Run(string other, params string[] options)
    {
        string command = other.EndsWith('&') ? other : $"timeout 3 {other}; true";
        string[] program = ["--", "sh", "-c", $"dotnet {SanitizedRun.Child} exit 0; {command}"];
        if (options.Length == 0)
        {
            Assert.Equal(2, SanitizedRun.Tool(["sanitize", "--fail-on-unchecked", .. program]).ExitCode);
        }

        return SanitizedRun.Tool(["sanitize", .. options, .. program]);
    }
}
