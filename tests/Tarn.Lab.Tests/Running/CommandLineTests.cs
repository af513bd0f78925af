using Tarn.Lab.Claims;
using Tarn.Lab.Experiments;
using Tarn.Lab.Running;
using Tarn.Lab.Tests.Claims;

namespace Tarn.Lab.Tests.Running;

public class CommandLineTests
{
    [Fact]
    public async Task The_list_has_one_line_for_each_experiment()
    {
        using var directory = new TemporaryDirectory();

        var lab = await LabProcess.Run(directory.Path, "--list");

        Assert.Equal(0, lab.ExitCode);
        Assert.Equal("", lab.Error);
        Assert.Equal(
            Catalogue.All.Select(experiment => experiment.Id), lab.Output.TrimEnd().Split('\n').Select(line => line.Split(' ')[0]));
    }

    [Fact]
    public async Task An_unknown_experiment_is_refused_with_one_sentence_and_nothing_is_written()
    {
        using var directory = new TemporaryDirectory();
        var sentence = BuildGuard.FindReasonToRefuse()
            ?? Assert.Throws<UnknownExperimentException>(() => Catalogue.Select(["nope"], isFull: false)).Message;

        var lab = await LabProcess.Run(directory.Path, "--only", "nope");

        Assert.Equal(2, lab.ExitCode);
        Assert.Equal(sentence, lab.Error.TrimEnd());
        Assert.Equal("", lab.Output);
        Assert.Empty(Directory.EnumerateFileSystemEntries(directory.Path));
    }

    [Fact]
    public void A_run_of_an_unknown_experiment_ends_before_it_writes_anything()
    {
        using var directory = new TemporaryDirectory();
        var options = new LabOptions { Only = ["single", "nope"], OutputDirectory = directory.File("out") };

        Assert.Throws<UnknownExperimentException>(() => LabRun.Execute(options));
        Assert.False(Directory.Exists(directory.File("out")));
        Assert.Equal(2, LabCommand.Guarded(() => LabRun.Execute(options).FormatVersion));
    }

    [Theory]
    [InlineData("--nonsense")]
    [InlineData("--seed", "x")]
    [InlineData("claims", "--chek")]
    public async Task A_line_that_cannot_be_parsed_is_refused(params string[] arguments)
    {
        using var directory = new TemporaryDirectory();

        var lab = await LabProcess.Run(directory.Path, arguments);

        Assert.Equal(2, lab.ExitCode);
        Assert.Contains($"'{arguments[^1]}'", lab.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Claims_are_checked_and_written_in_the_repository_the_lab_is_started_in()
    {
        using var repository = new StatingRepository("0.50");
        var deep = Path.GetDirectoryName(repository.Document)!;

        var differing = await LabProcess.Run(deep, "claims", "--check");
        Assert.Equal(1, differing.ExitCode);
        Assert.Equal("README.md: claim 'single' is stated as '0.50' and was measured as '0.55'", differing.Output.TrimEnd());
        Assert.Equal(StatingRepository.Stating("0.50"), File.ReadAllText(repository.Readme));

        var written = await LabProcess.Run(deep, "claims", "--write");
        Assert.Equal(0, written.ExitCode);
        Assert.Equal(StatingRepository.Stating("0.55"), File.ReadAllText(repository.Readme));

        var agreeing = await LabProcess.Run(deep, "claims", "--check");
        Assert.Equal(0, agreeing.ExitCode);
        Assert.Equal("The documents state the measured figures.", agreeing.Output.TrimEnd());
    }

    [Fact]
    public async Task A_written_report_is_judged_again_with_the_same_result()
    {
        string measured = Path.Combine(ClaimDocuments.FindRepositoryRoot(), "lab", "results", "shared-memory");
        using var directory = new TemporaryDirectory();
        File.Copy(Path.Combine(measured, "results.json"), directory.File("results.json"));

        var lab = await LabProcess.Run(directory.Path, "claims", "--judge", directory.File("results.json"));
        var unreadable = await LabProcess.Run(directory.Path, "claims", "--judge", directory.File("gone.json"));

        Assert.Equal(ClaimFile.Read(Path.Combine(measured, ClaimFile.Name)).Claims.All(static claim => claim.Holds) ? 0 : 1, lab.ExitCode);
        Assert.Equal(
            await File.ReadAllTextAsync(Path.Combine(measured, ClaimFile.Name)),
            await File.ReadAllTextAsync(directory.File(ClaimFile.Name)));
        Assert.Equal(2, unreadable.ExitCode);
        Assert.Contains("gone.json", unreadable.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_files_of_a_report_are_written_again_from_its_results()
    {
        string results = Path.Combine(ClaimDocuments.FindRepositoryRoot(), "lab", "results", "shared-memory", "results.json");
        using var directory = new TemporaryDirectory();

        var lab = await LabProcess.Run(directory.Path, "report", results, "--out", "drawn");
        var unreadable = await LabProcess.Run(directory.Path, "report", "gone.json");

        Assert.Equal((0, ""), (lab.ExitCode, lab.Error));
        Assert.True(File.Exists(directory.File("drawn/report.html")));
        Assert.True(File.Exists(directory.File("drawn/pictures/ring-rate.svg")));
        Assert.Equal(2, unreadable.ExitCode);
        Assert.Contains("gone.json", unreadable.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Without_measured_claims_or_a_repository_checking_is_refused_in_a_sentence()
    {
        using var repository = new StatingRepository("0.55");
        File.Delete(repository.ClaimsFile);
        using var elsewhere = new TemporaryDirectory();

        var unmeasured = await LabProcess.Run(repository.Root, "claims", "--check");
        var outside = await LabProcess.Run(elsewhere.Path, "claims", "--check");

        Assert.Equal(2, unmeasured.ExitCode);
        Assert.Contains("claims.json", Assert.Single(unmeasured.Error.TrimEnd().Split('\n')), StringComparison.Ordinal);
        Assert.Equal(2, outside.ExitCode);
        Assert.Equal("Run this inside the repository: no folder above the current one holds Tarn.slnx.", outside.Error.TrimEnd());
    }

    [Theory]
    [InlineData("Name one thing to record: --pid ID, --scenario NAME, or -- and a program.", "record")]
    [InlineData("Name one thing to record: --pid ID, --scenario NAME, or -- and a program.", "record", "--pid", "1", "--scenario", "json")]
    [InlineData(
        "No such scenario: nope. There are: kestrel-uploads, kestrel-small, http2, json, tls-proxy.", "record", "--scenario", "nope")]
    [InlineData("--events is 1 to 4194304, --seconds more than 0 and at most 3,600.", "record", "--scenario", "json", "--events", "0")]
    public async Task A_recording_that_cannot_be_made_is_refused_in_a_sentence(string sentence, params string[] arguments)
    {
        using var directory = new TemporaryDirectory();

        var lab = await LabProcess.Run(directory.Path, arguments);

        Assert.Equal((2, sentence), (lab.ExitCode, lab.Error.TrimEnd()));
        Assert.Empty(Directory.EnumerateFileSystemEntries(directory.Path));
    }

    [Fact]
    public void Options_are_read_with_ids_separated_by_commas_or_spaces()
    {
        var options = LabCommand.ReadOptions(
            LabCommand.Create().Parse(["--only", "single, lease,", "deep", "--full", "--seed", "7", "--out", "o", "--baseline", "b.json"]));

        Assert.Equal(["single", "lease", "deep"], options.Only);
        Assert.True(options.Full);
        Assert.Equal((7, "o", "b.json"), (options.Seed, options.OutputDirectory, options.BaselineFile));
        Assert.Equal("dotnet run -c Release --project lab -- --full --only single,lease,deep --seed 7", options.ToCommand());
    }

    [Fact]
    public void No_options_run_everything_quickly()
    {
        var options = LabCommand.ReadOptions(LabCommand.Create().Parse([]));

        Assert.Empty(options.Only);
        Assert.False(options.Full);
        Assert.Equal((ExperimentContext.DefaultSeed, "lab-out", null), (options.Seed, options.OutputDirectory, options.BaselineFile));
        Assert.Equal("dotnet run -c Release --project lab", options.ToCommand());
        Assert.Equal(
            "dotnet run -c Release --project lab -- claims --full",
            (options with { Full = true, Subcommand = "claims", Only = ["single"] }).ToCommand());
    }
}
