using System.Diagnostics;
using System.Globalization;
using Microsoft.Diagnostics.NETCore.Client;
using Tarn.Lab.Tests;
using Tarn.Sanitizing.Launching;

namespace Tarn.Sanitizing.Tests.Launching;

public class LaunchTests
{
    [Theory]
    [InlineData("dotnet")]
    [InlineData("host")]
    public void A_program_runs_on_pools_that_ask_and_sees_itself_as_it_was(string way)
    {
        string[] program = way == "dotnet" ? ["dotnet", SanitizedRun.Child] : [SanitizedRun.ChildHost];
        string[] line = [.. program, "facts", "a b", "", "ü\"*"];

        SanitizedRun plain = SanitizedRun.Run(SanitizedRun.Start(line[0], line[1..]), "");
        SanitizedRun sanitized = SanitizedRun.Program(line);

        Assert.Equal("0,0,0,0", plain["asked"]);
        Assert.Equal("2,2,2,2", sanitized["asked"]);
        Assert.Equal(0, sanitized.ExitCode);
        Assert.DoesNotContain("not checked", sanitized.Error, StringComparison.Ordinal);
        Assert.Equal(Same(plain), Same(sanitized));
    }

    private static IEnumerable<string> Same(SanitizedRun run) => run.Output.Split('\n')
        .Where(line => line.Split('=')[0] is "runtime" or "arguments" or "folder" or "variable");

    [Fact]
    public void Input_output_and_exit_code_pass()
    {
        string text = string.Concat(Enumerable.Range(0, 20_000).Select(i => $"line {i}\n"));

        SanitizedRun echo = SanitizedRun.Run(SanitizedRun.StartTool("sanitize", "--", "dotnet", SanitizedRun.Child, "echo"), text);

        Assert.Equal((0, text), (echo.ExitCode, echo.Output));
        Assert.Equal(42, SanitizedRun.Program(SanitizedRun.ChildHost, "exit", "42").ExitCode);
    }

    [Fact]
    public void A_crash_is_the_program_s()
    {
        Assert.Equal(
            SanitizedRun.Run(SanitizedRun.Start("dotnet", SanitizedRun.Child, "crash"), "").ExitCode,
            SanitizedRun.Program("dotnet", SanitizedRun.Child, "crash").ExitCode);
    }

    [Fact]
    public void Processes_that_a_program_starts_are_checked_too()
    {
        SanitizedRun run = SanitizedRun.Program(
            "dotnet", SanitizedRun.Child, "start", SanitizedRun.ChildHost, "start", "dotnet", SanitizedRun.Child, "facts");

        Assert.Equal("2,2,2,2", run["asked"]);
    }

    [Fact]
    public void Only_the_processes_that_the_user_asks_for_are_checked()
    {
        string[] program = ["dotnet", SanitizedRun.Child, "start", SanitizedRun.ChildHost, "facts"];

        SanitizedRun inner = SanitizedRun.Tool(["sanitize", "--process", "TestChild.dll facts", "--", .. program]);
        SanitizedRun none = SanitizedRun.Tool(["sanitize", "--process", "another", "--", .. program]);

        Assert.Equal(("2,2,2,2", 0), (inner["asked"], inner.ExitCode));
        Assert.Contains("of 2 processes checked", SanitizedRun.Program(program).Error, StringComparison.Ordinal);
        Assert.Contains("of 1 process checked", inner.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("not checked", inner.Error, StringComparison.Ordinal);
        Assert.Equal(("0,0,0,0", 2), (none["asked"], none.ExitCode));
        Assert.Contains("nothing was checked. The process filter excludes", none.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("a::b")]
    [InlineData("a:b=c")]
    [InlineData("")]
    public void A_process_filter_that_would_mean_something_else_is_refused(string text)
    {
        SanitizedRun run = SanitizedRun.Tool("sanitize", "--process", text, "--", "dotnet", SanitizedRun.Child, "facts");

        Assert.Equal((2, ""), (run.ExitCode, run.Output));
        Assert.Contains("process", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void What_a_program_wants_to_unload_is_unloaded()
    {
        SanitizedRun run = SanitizedRun.Program("dotnet", SanitizedRun.Child, "unload");

        Assert.Equal("True", run["unloaded"]);
        Assert.Contains("buffers of 1 process checked", run.Error, StringComparison.Ordinal);
    }

    /// <summary>Others with its id are of a process that ended, or of one in a container with the same folder.</summary>
    [SkippableFact]
    public void A_process_removes_its_own_socket_of_diagnostics_and_no_other()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "only there the name of the socket can be told");
        using var folder = new TemporaryDirectory();
        ProcessStartInfo start = SanitizedRun.StartTool(
            "sanitize", "--", "sh", "-c", $"touch \"$TMPDIR/dotnet-diagnostic-$$-1-socket\"; exec dotnet {SanitizedRun.Child} facts");
        start.Environment["TMPDIR"] = folder.Path;

        SanitizedRun run = SanitizedRun.Run(start, "");

        Assert.Equal(("2,2,2,2", 0), (run["asked"], run.ExitCode));
        Assert.Equal($"dotnet-diagnostic-{run["id"]}-1-socket", Assert.Single(
            Directory.GetFiles(folder.Path, "dotnet-diagnostic-*").Select(Path.GetFileName)));
    }

    [Fact]
    public void A_process_is_asked_for_by_its_whole_command_line()
    {
        string settings = Path.ChangeExtension(SanitizedRun.Child, "runtimeconfig.json");
        SanitizedRun run = SanitizedRun.Tool(
            "sanitize", "--process", "TestChild.runtimeconfig", "--",
            "dotnet", "exec", "--runtimeconfig", settings, SanitizedRun.Child, "facts");

        Assert.Equal(("2,2,2,2", 0), (run["asked"], run.ExitCode));
    }

    [SkippableFact]
    public void Without_a_folder_for_temporary_files_the_tool_says_so_and_how_to_set_one()
    {
        Skip.If(OperatingSystem.IsWindows(), "the variable is of Unix");
        ProcessStartInfo start = SanitizedRun.StartTool("sanitize", "--", "dotnet", SanitizedRun.Child, "facts");
        start.Environment["TMPDIR"] = "/no/such";

        SanitizedRun run = SanitizedRun.Run(start, "");

        Assert.Equal((2, ""), (run.ExitCode, run.Output));
        Assert.Contains("No folder can be made in /no/such", run.Error, StringComparison.Ordinal);
        Assert.Contains("Set TMPDIR", run.Error, StringComparison.Ordinal);
    }

    [SkippableFact]
    public async Task A_request_to_terminate_reaches_the_program_which_keeps_its_id()
    {
        Skip.If(OperatingSystem.IsWindows(), "Windows has no such request");
        using Process tool = Process.Start(SanitizedRun.StartTool("sanitize", "--", SanitizedRun.ChildHost, "wait"))!;
        int id = int.Parse((await tool.StandardOutput.ReadLineAsync())!, CultureInfo.InvariantCulture);

        // The runtime's diagnostics find it by that id.
        Assert.NotEmpty(Directory.GetFiles(Path.GetTempPath(), $"dotnet-diagnostic-{id}-*-socket"));
        Assert.NotEmpty(new DiagnosticsClient(id).GetProcessEnvironment());
        using (Process kill = Process.Start("kill", ["-TERM", tool.Id.ToString(CultureInfo.InvariantCulture)]))
        {
            await kill.WaitForExitAsync();
        }

        await tool.WaitForExitAsync().WaitAsync(TimeSpan.FromMinutes(1));
        Assert.Equal(5, tool.ExitCode);
    }

    [Fact]
    public void The_SDK_s_processes_are_left_alone()
    {
        SanitizedRun run = SanitizedRun.Program("dotnet", "--version");

        Assert.Equal(2, run.ExitCode);
        Assert.StartsWith("10.", run.Output, StringComparison.Ordinal);
        Assert.Contains("nothing was checked. dotnet --version started no process on .NET 8 or later", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void A_program_that_is_not_dotnet_is_said_to_be_unchecked()
    {
        SanitizedRun missing = SanitizedRun.Program("./no-such-program");

        Assert.Equal(2, missing.ExitCode);
        Assert.Contains("./no-such-program cannot be started", missing.Error, StringComparison.Ordinal);
        if (!OperatingSystem.IsWindows())
        {
            SanitizedRun list = SanitizedRun.Program("/bin/ls", "/");
            Assert.Equal(2, list.ExitCode);
            Assert.Contains("/bin/ls is not a .NET program", list.Error, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void A_program_without_startup_hooks_is_said_to_be_unchecked()
    {
        using var folder = new TemporaryDirectory();
        CopyChild(folder.Path);
        string settings = folder.File("Tarn.Sanitizer.TestChild.runtimeconfig.json");
        File.WriteAllText(settings, File.ReadAllText(settings).Replace(
            "\"configProperties\": {",
            "\"configProperties\": { \"System.StartupHookProvider.IsSupported\": false,",
            StringComparison.Ordinal));

        SanitizedRun run = SanitizedRun.Program("dotnet", folder.File("Tarn.Sanitizer.TestChild.dll"), "facts");

        Assert.Equal(("0,0,0,0", 2), (run["asked"], run.ExitCode));
        Assert.Contains("sets System.StartupHookProvider.IsSupported to false", run.Error, StringComparison.Ordinal);
    }

    /// <summary>A process that began again and is still not on such a framework does not try once more.</summary>
    [SkippableFact]
    public void A_process_begins_again_once_only()
    {
        Skip.If(OperatingSystem.IsWindows(), "the copy here is replaced by a link");
        using var cache = new TemporaryDirectory();
        SanitizedRun Run()
        {
            ProcessStartInfo start = SanitizedRun.StartTool("sanitize", "--", "dotnet", SanitizedRun.Child, "facts");
            start.Environment[SanitizerSettings.RootVariable] = cache.Path;
            return SanitizedRun.Run(start, "");
        }

        string copied = Run()["corelib"];
        File.Copy(typeof(object).Assembly.Location, copied, overwrite: true);
        SanitizedRun run = Run();

        Assert.Equal(("0,0,0,0", 2), (run["asked"], run.ExitCode));
        Assert.Contains("it began again, but still runs on", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Startup_hooks_of_others_stay()
    {
        ProcessStartInfo start = SanitizedRun.StartTool("sanitize", "--", "dotnet", SanitizedRun.Child, "facts");
        start.Environment["DOTNET_STARTUP_HOOKS"] = "/no/such/hook.dll";

        SanitizedRun run = SanitizedRun.Run(start, "");

        Assert.Contains("/no/such/hook.dll", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Many_processes_build_one_copy()
    {
        using var cache = new TemporaryDirectory();
        string framework = Path.GetDirectoryName(typeof(object).Assembly.Location)!;
        Guid module = typeof(object).Module.ModuleVersionId;
        var built = new PrivateCopy[8];
        Parallel.For(
            0,
            built.Length,
            new ParallelOptions { MaxDegreeOfParallelism = built.Length },
            i => built[i] = new PrivateCopies(cache.Path).OfInstallation(framework, module));

        string only = Assert.Single(Directory.GetDirectories(Assert.Single(Directory.GetDirectories(cache.Path))));
        Assert.All(built, copy => Assert.Equal(only, copy.Folder));
        Assert.All(built, copy => Assert.InRange(copy.Hidden, 4, 200));
    }

    [Fact]
    public void The_runtimes_are_listed()
    {
        SanitizedRun run = SanitizedRun.Tool("sanitize", "--list-runtimes");

        Assert.Equal(0, run.ExitCode);
        Assert.Contains($"{Path.GetDirectoryName(typeof(object).Assembly.Location)}: ready", run.Output, StringComparison.Ordinal);
    }

    internal static void CopyChild(string folder)
    {
        foreach (string file in Directory.GetFiles(Path.GetDirectoryName(SanitizedRun.Child)!))
        {
            File.Copy(file, Path.Combine(folder, Path.GetFileName(file)));
        }
    }
}
