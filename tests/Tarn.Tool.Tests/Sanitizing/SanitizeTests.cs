using System.Globalization;
using System.Text.Json;
using Tarn.Tests.Support;
using Tarn.Tool.Tests.Commands;

namespace Tarn.Tool.Tests.Sanitizing;

/// <summary><c>tarn sanitize</c> on programs with planted faults, as its users run it.</summary>
public class SanitizeTests(SanitizedPrograms programs) : IClassFixture<SanitizedPrograms>
{
    /// <param name="fault">What the program does.</param>
    /// <param name="kind">What it is told as.</param>
    /// <param name="places">The role of each place, and the mark of its line.</param>
    [SkippableTheory]
    [InlineData("twice", "second return", "returned again at: second", "first returned at: first", "rented at: rents")]
    [InlineData("foreign", "return of what was never rented", "returned at: foreign")]
    [InlineData("other", "return to another pool", "returned at: other")]
    [InlineData("write", "write after return", "returned at: returns", "rented at: rents")]
    [InlineData("async", "second return", "returned again at: again")]
    [InlineData("lost", "lost", "rented at: loses")]
    public async Task A_fault_is_told_with_its_lines(string fault, string kind, params string[] places)
    {
        Skip.IfNot(StressLength.IsLong || fault is "twice" or "write", "each takes a program; the long form has each");
        ToolProcess run = await Sanitize([], fault);
        Assert.True(run.ExitCode == 1, run.Error);
        Assert.Contains($"== ERROR: tarn: {kind}: ", run.Error, StringComparison.Ordinal);
        foreach (string[] place in places.Select(static place => place.Split(": ")))
        {
            string line = programs.Program.LineOf(place[1]).ToString(CultureInfo.InvariantCulture);
            Assert.Matches($@"{place[0]}\n    at Program\.Main(\.Lose)? in Program\.cs:{line}\n", run.Error);
        }

        Assert.Contains("SUMMARY: tarn: 1 incident at 1 place (1 ", run.Error, StringComparison.Ordinal);
    }

    [SkippableFact]
    public async Task A_write_through_memory_that_was_disposed_is_found()
    {
        Skip.IfNot(StressLength.IsLong, "each takes a program; the long form has each");
        ToolProcess run = await Sanitize([], "memory");
        Assert.Equal(1, run.ExitCode);
        Assert.Contains("== ERROR: tarn: write after return: Byte[100]", run.Error, StringComparison.Ordinal);
    }

    [SkippableFact]
    public async Task What_is_held_at_the_end_is_told_and_fails_nothing()
    {
        Skip.IfNot(StressLength.IsLong, "each takes a program; the long form has each");
        ToolProcess run = await Sanitize([], "held");
        Assert.Equal(0, run.ExitCode);
        Assert.Contains("== NOTE: tarn: held at the end: Byte[100]", run.Error, StringComparison.Ordinal);
        Assert.Contains("SUMMARY: tarn: no error; 1 note; ", run.Error, StringComparison.Ordinal);
    }

    [SkippableFact]
    public async Task A_killed_process_loses_nothing_that_it_found()
    {
        ToolProcess run = await Sanitize([], "killed");
        Assert.NotEqual(0, run.ExitCode);
        Assert.Contains("== ERROR: tarn: second return", run.Error, StringComparison.Ordinal);
        Assert.Contains("it was killed.", run.Error, StringComparison.Ordinal);
    }

    /// <summary>A process whose disk is full leaves an empty file.</summary>
    [SkippableFact]
    public async Task A_report_that_could_not_be_written_is_no_verdict()
    {
        ToolProcess run = await Sanitize([], "unwritten");
        Assert.Equal(2, run.ExitCode);
        Assert.Contains("tarn: 1 process (77) could not write all that was found to ", run.Error, StringComparison.Ordinal);
    }

    [SkippableTheory]
    [InlineData("0", 0)]
    [InlineData("7", 7)]
    public async Task The_exit_code_is_the_programs(string asked, int expected)
    {
        ToolProcess run = await Sanitize([], asked);
        Assert.Equal(expected, run.ExitCode);
        Assert.Contains("SUMMARY: tarn: no error; ", run.Error, StringComparison.Ordinal);
    }

    [SkippableFact]
    public async Task A_baseline_and_a_suppression_excuse_what_they_name_and_files_have_the_rest()
    {
        Skip.IfNot(StressLength.IsLong, "it runs a program again and again; the long form does it");
        string folder = programs.Program.Folder;
        Assert.Equal(0, (await Sanitize(["--write-baseline", "known.json"], "twice")).ExitCode);
        ToolProcess known = await Sanitize(["--baseline", "known.json"], "twice");
        Assert.True(known.ExitCode == 0, known.Error);
        Assert.Contains("SUMMARY: tarn: no error; 1 known; ", known.Error, StringComparison.Ordinal);

        await File.WriteAllTextAsync(Path.Combine(folder, "list"), "buffer-returned-twice:Program.Main");
        Assert.Equal(0, (await Sanitize(["--suppressions", "list"], "twice")).ExitCode);

        ToolProcess rest = await Sanitize(
            ["--baseline", "known.json", "--sarif", "run.sarif", "--junit", "run.xml", "--log", "run.log", "--exitcode", "9"], "write");
        Assert.Equal(9, rest.ExitCode);
        Assert.Contains("SUMMARY", await File.ReadAllTextAsync(Path.Combine(folder, "run.log")), StringComparison.Ordinal);
        Assert.DoesNotContain("SUMMARY", rest.Error, StringComparison.Ordinal);
        using JsonDocument sarif = JsonDocument.Parse(await File.ReadAllTextAsync(Path.Combine(folder, "run.sarif")));
        JsonElement result = Assert.Single(sarif.RootElement.GetProperty("runs")[0].GetProperty("results").EnumerateArray());
        Assert.Equal("buffer-written-after-return", result.GetProperty("ruleId").GetString());
        Assert.Single(SanitizedPrograms.Read(Path.Combine(folder, "run.xml")).Descendants("failure"));
    }

    [SkippableFact]
    public async Task Halt_ends_the_program_and_throw_throws()
    {
        ToolProcess halted = await Sanitize(["--halt", "--exitcode", "9"], "twice");
        Assert.Equal(9, halted.ExitCode);
        ToolProcess thrown = await Sanitize(["--throw"], "twice");
        Assert.Contains("InvalidOperationException: tarn: ReturnedTwice of a buffer", thrown.Error, StringComparison.Ordinal);
        Assert.Contains("== ERROR: tarn: second return", thrown.Error, StringComparison.Ordinal);

        // What the message takes is the checker's.
        Assert.Contains("; 1 buffer of 1 process checked", thrown.Error, StringComparison.Ordinal);
    }

    [SkippableTheory]
    [InlineData("--quarantine", "much")]
    [InlineData("--sample", "2/3")]
    [InlineData("--stacks", "some")]
    [InlineData("--exitcode", "300")]
    [InlineData("--lost", "maybe")]
    public async Task A_value_that_is_none_is_refused_before_anything_runs(string option, string value)
    {
        ToolProcess run = await Sanitize([option, value], "twice");
        Assert.Equal(2, run.ExitCode);
        Assert.StartsWith($"tarn: {option}: {option[2..]} is ", run.Error, StringComparison.Ordinal);
        Assert.Contains($", and not '{value}'. Nothing ran.", run.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("ignored", run.Error, StringComparison.Ordinal);
    }

    [SkippableTheory]
    [InlineData("bogus=1", "there is no option bogus. The options are poison, ")]
    [InlineData("quarantine=x", "quarantine is 0 to 65536 (MB), and not 'x'.")]
    public async Task A_variable_with_what_there_is_not_is_refused_by_its_name(string options, string reason)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "Programs are started on a private framework on Linux only.");
        ToolProcess run = await ToolProcess.RunAsync(
            programs.Program.Folder, [("TARN_SANITIZE", options)], ["sanitize", "--", .. programs.Command("0")]);
        Assert.Equal(2, run.ExitCode);
        Assert.StartsWith($"tarn: TARN_SANITIZE: {reason}", run.Error, StringComparison.Ordinal);
        Assert.EndsWith("Nothing ran.\n", run.Error, StringComparison.Ordinal);
    }

    [SkippableTheory]
    [InlineData("read", "returned by Program.Main are poisoned: they are read after their return.")]
    [InlineData("zeros", "rented by Program.Main are poisoned: it relies on zeros that it did not write.")]
    [InlineData("longer", "rented by Program.Main are as long as it asked for: it relies on more.")]
    public async Task Bisect_names_what_cannot_be_trapped(string fault, string verdict)
    {
        Skip.IfNot(StressLength.IsLong || fault == "read", "each takes many runs of the program; the long form does it");
        ToolProcess run = await Sanitize(["--bisect"], fault);
        Assert.True(run.ExitCode == 1, run.Error);
        Assert.Contains($"tarn: The program fails when buffers {verdict}", run.Error, StringComparison.Ordinal);
    }

    private Task<ToolProcess> Sanitize(string[] options, string argument)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "Programs are started on a private framework on Linux only.");
        return ToolProcess.RunAsync(programs.Program.Folder, ["sanitize", .. options, "--", .. programs.Command(argument)]);
    }
}
