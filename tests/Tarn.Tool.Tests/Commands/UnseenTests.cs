using Tarn.Lab.Tests;
using Tarn.Tests.Support;
using Tarn.Tool.Tests.Recording;

namespace Tarn.Tool.Tests.Commands;

/// <summary>No verdict is spoken over what was not seen.</summary>
public class UnseenTests
{
    private const string Passed = "tarn: no buffer was lost or returned twice beyond the baseline.";
    private static readonly string[] s_phase = ["dotnet", Child.Assembly, "phased losses"];

    [SkippableTheory]
    [InlineData("no .NET process of it could be recorded", null, "true")]
    [InlineData("DOTNET_EnableDiagnostics=0 is set", "DOTNET_EnableDiagnostics", "dotnet", "", "planted faults", "0.1", "100")]
    [InlineData("no recorded process rented a buffer", null, "dotnet", "", "nothing")]
    public async Task A_check_of_what_cannot_be_recorded_has_no_verdict(string reason, string? off, params string[] program)
    {
        Skip.IfNot(StressLength.IsLong || off is not null, "one reason is enough for the short form; the long form has each");
        Skip.If(OperatingSystem.IsWindows(), "programs are started on Unix only");
        using var folder = new TemporaryDirectory();
        program = [.. program.Select(part => part.Length == 0 ? Child.Assembly : part)];
        (string, string)[] environment = off is null ? [] : [(off, "0")];

        ToolProcess check = await ToolProcess.RunAsync(folder.Path, environment, ["check", "--write-baseline", "b.json", "--", .. program]);
        ToolProcess record = await ToolProcess.RunAsync(folder.Path, environment, ["record", "--", .. program]);

        Assert.Equal(2, check.ExitCode);
        Assert.Equal(2, record.ExitCode);
        Assert.Contains("tarn: no verdict: ", check.Error, StringComparison.Ordinal);
        Assert.Contains(reason, check.Error, StringComparison.Ordinal);
        Assert.Contains(reason, record.Error, StringComparison.Ordinal);
        Assert.DoesNotContain(Passed, check.Error, StringComparison.Ordinal);
        Assert.False(File.Exists(folder.File("b.json")));
    }

    [SkippableFact]
    public async Task A_check_of_processes_that_there_are_not_has_no_verdict()
    {
        Skip.If(OperatingSystem.IsWindows(), "programs are started on Unix only");
        using var folder = new TemporaryDirectory();

        ToolProcess check = await ToolProcess.RunAsync(
            folder.Path, "check", "--process", "nobody", "--", "dotnet", Child.Assembly, "planted faults", "0.1", "100");

        Assert.Equal(2, check.ExitCode);
        Assert.Contains("has \"nobody\" in its command line", check.Error, StringComparison.Ordinal);
    }

    [SkippableTheory]
    [InlineData("1")]
    [InlineData("2")]
    public async Task A_loss_in_one_phase_fails_a_check_and_is_in_the_recording(string lostOf)
    {
        Skip.If(OperatingSystem.IsWindows(), "programs are started on Unix only");
        Skip.IfNot(StressLength.IsLong, "a program of three phases takes long; the long form has it");
        using var folder = TemporaryDirectory.InRepository();
        string[] program = [.. s_phase, "3", "1", "500", lostOf];

        ToolProcess check = await ToolProcess.RunAsync(folder.Path, ["check", "--", .. program]);
        ToolProcess record = await ToolProcess.RunAsync(folder.Path, ["record", "-o", "run.tarn", "--", .. program]);

        Assert.True(check.ExitCode == 1, check.Output + check.Error);
        int line = Child.LineOf("loses in a phase", "PhasedLosses.cs");
        Assert.Contains($"PhasedLosses.cs({line}): error buffer-lost: ", check.Output, StringComparison.Ordinal);
        Assert.Contains("1 call site loses ", record.Error, StringComparison.Ordinal);
    }

    [SkippableFact]
    public async Task What_is_only_possible_fails_a_strict_check()
    {
        Skip.IfNot(StressLength.IsLong, "it runs programs for a while; the long form does it");
        Skip.If(OperatingSystem.IsWindows(), "programs are started on Unix only");
        using var folder = TemporaryDirectory.InRepository();
        string[] program = ["--", .. s_phase, "2", "0.2", "40", "1"];

        ToolProcess check = await ToolProcess.RunAsync(folder.Path, ["check", .. program]);
        ToolProcess strict = await ToolProcess.RunAsync(folder.Path, ["check", "--strict", .. program]);

        Assert.Equal((0, 1), (check.ExitCode, strict.ExitCode));
        Assert.Contains("): note buffer-lost: ", check.Output, StringComparison.Ordinal);
        Assert.Contains("): error buffer-lost: ", strict.Output, StringComparison.Ordinal);
    }

    [SkippableTheory]
    [InlineData("killed")]
    [InlineData("crashed")]
    public async Task A_process_that_does_not_end_by_itself_is_not_recorded_to_its_end(string end)
    {
        Skip.IfNot(StressLength.IsLong, "it waits for an end that does not come; the long form does it");
        Skip.If(OperatingSystem.IsWindows(), "programs are started on Unix only");
        using var folder = new TemporaryDirectory();
        string program = $"dotnet '{Child.Assembly}' 'phased losses' 0.6 0.1 50 1000 {end}";

        ToolProcess check = await ToolProcess.RunAsync(folder.Path, "check", "--", "sh", "-c", $"{program}; exit 0");
        ToolProcess record = await ToolProcess.RunAsync(folder.Path, "record", "-o", "run.tarn", "--", "sh", "-c", $"{program}; exit 0");

        Assert.True(check.ExitCode == 2, check.Output + check.Error);
        Assert.Contains("broke off", check.Error, StringComparison.Ordinal);
        Assert.DoesNotContain(Passed, check.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("No lost buffers", record.Error, StringComparison.Ordinal);
    }

    [SkippableFact]
    public async Task A_recording_that_is_cut_says_so_and_one_without_a_limit_goes_to_the_end()
    {
        Skip.IfNot(StressLength.IsLong, "it runs programs for a while; the long form does it");
        Skip.If(OperatingSystem.IsWindows(), "programs are started on Unix only");
        using var folder = new TemporaryDirectory();
        string[] program = ["--", .. s_phase, "3", "2", "500", "1"];

        ToolProcess time = await ToolProcess.RunAsync(folder.Path, ["record", "--for", "1s", "-o", "time.tarn", .. program]);
        ToolProcess events = await ToolProcess.RunAsync(folder.Path, ["record", "--events", "200", "-o", "events.tarn", .. program]);
        ToolProcess advise = await ToolProcess.RunAsync(folder.Path, "advise", "time.tarn");

        Assert.Contains("No verdict: the recording is not whole.", time.Error, StringComparison.Ordinal);
        Assert.Contains("before the process ended", time.Error, StringComparison.Ordinal);
        Assert.Contains("with as many events as it may have", events.Error, StringComparison.Ordinal);
        Assert.Contains("Nothing to change by what was recorded", advise.Output, StringComparison.Ordinal);
        Assert.Contains("before the process ended", advise.Error, StringComparison.Ordinal);
    }
    /// <summary>A process that never connected is seen all the same.</summary>
    [SkippableFact]
    public async Task A_check_says_which_process_it_did_not_hear_of()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "other systems do not list processes in files");
        using var folder = new TemporaryDirectory();
        string framework = Path.GetDirectoryName(typeof(object).Assembly.Location)!;
        string dotnet = Path.GetFullPath(Path.Combine(framework, "..", "..", "..", "dotnet"));
        string heard = $"dotnet '{Child.Assembly}' 'phased losses' 0.2 0.1 40 1000";

        ToolProcess check = await ToolProcess.RunAsync(
            folder.Path, "check", "--", "sh", "-c", $"{heard}; env -i '{dotnet}' '{Child.Assembly}' 'planted faults' 3 100; exit 0");

        Assert.True(check.ExitCode == 2, check.Output + check.Error);
        Assert.Contains(
            $"{Child.Assembly} planted faults 3 100: its environment lacks DOTNET_DiagnosticPorts", check.Error, StringComparison.Ordinal);
        Assert.DoesNotContain(Passed, check.Error, StringComparison.Ordinal);
    }

    [SkippableFact]
    public async Task The_SDK_s_own_processes_are_left_alone_unless_they_are_asked_for()
    {
        Skip.If(OperatingSystem.IsWindows(), "programs are started on Unix only");
        using var folder = new TemporaryDirectory();
        string[] program = ["--", "dotnet", "--version"];

        ToolProcess check = await ToolProcess.RunAsync(folder.Path, ["check", .. program]);
        ToolProcess named = await ToolProcess.RunAsync(folder.Path, ["record", "--process", "--version", .. program]);
        ToolProcess with = await ToolProcess.RunAsync(folder.Path, ["record", "--with-sdk", "-o", "sdk.tarn", .. program]);

        Assert.Equal((2, 2, 0), (check.ExitCode, named.ExitCode, with.ExitCode));
        foreach (ToolProcess one in (ToolProcess[])[check, named])
        {
            Assert.Contains("1 process of the SDK itself left alone (--with-sdk records them)", one.Error, StringComparison.Ordinal);
        }

        Assert.True(File.Exists(folder.File("sdk.tarn")));
    }
}
