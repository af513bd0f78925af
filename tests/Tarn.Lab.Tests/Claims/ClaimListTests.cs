using System.Text.RegularExpressions;
using Tarn.Lab.Claims;
using Tarn.Lab.Experiments;
using Tarn.Lab.Model;
using Tarn.Lab.Running;
using Tarn.Lab.Tests.Report;

namespace Tarn.Lab.Tests.Claims;

public class ClaimListTests
{
    [Fact]
    public void Ids_are_unique_and_can_be_written_in_a_marker()
    {
        Assert.NotEmpty(ClaimList.All);
        Assert.Distinct(ClaimList.All.Select(claim => claim.Id));
        Assert.All(ClaimList.All, claim => Assert.Matches("^[a-z0-9-]+$", claim.Id));
    }

    [Fact]
    public void Every_claim_is_measured_by_an_experiment_of_the_catalogue()
    {
        Assert.Empty(ClaimList.All.Select(claim => claim.Experiment).Except(Catalogue.All.Select(experiment => experiment.Id)));
    }

    [Fact]
    public void Every_claim_has_evidence_of_its_own_experiment_and_one_place_for_its_figure()
    {
        Assert.All(ClaimList.All, claim =>
        {
            Assert.NotEmpty(claim.Evidence);
            Assert.Distinct(claim.Evidence);
            Assert.All(claim.Evidence, id => Assert.StartsWith(claim.Experiment + "-", id, StringComparison.Ordinal));
            Assert.Single(Regex.Matches(claim.Sentence, @"\{0\}"));
        });
    }

    [Fact]
    public void Every_marker_of_the_documents_names_a_claim_of_the_list()
    {
        var root = FindRoot();
        var figures = ClaimList.All.Select(claim => claim.Id)
            .Concat(RecordedRun.VersionsOf(RecordedRun.ReadAll(root)).Keys)
            .Concat([MissedClaims.Id, AblationTable.Id, ScaleTable.Id])
            .ToDictionary(id => id, _ => "1");
        var documents = Directory.EnumerateFiles(Path.Combine(root, "docs"), "*.md", SearchOption.AllDirectories)
            .Append(Path.Combine(root, "README.md"));
        Assert.All(documents, path =>
            Assert.DoesNotContain(
                ClaimMarkers.Fill(File.ReadAllText(path), figures).Problems,
                problem => !problem.Contains("is stated as", StringComparison.Ordinal)));
        Assert.Contains(
            ClaimMarkers.Fill(File.ReadAllText(Path.Combine(root, "README.md")), figures).Problems,
            problem => problem.Contains("'single'", StringComparison.Ordinal));
    }

    [Fact]
    public void The_slack_experiment_gives_the_evidence_of_the_slack_claims_and_they_hold()
    {
        using var directory = new TemporaryDirectory();
        var progress = new List<double>();
        var context = new ExperimentContext(isFull: false, seed: 1, directory.Path, SampleReport.Empty().Run.Machine, progress.Add);

        var result = Assert.Single(Catalogue.Select(["slack"], isFull: false)).Run(context);

        var report = SampleReport.Empty() with { Comparisons = result.Comparisons, Figures = result.Figures, Sections = [result.Section] };
        var judged = ClaimJudge.Judge(ClaimList.All, report);
        Assert.Equal(["slack-worst", "slack-mean"], judged.Select(claim => claim.Id));
        Assert.All(judged, claim => Assert.True(claim.Holds, claim.Sentence));
    }

    private static string FindRoot()
    {
        DirectoryInfo? directory = new(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(directory.FullName, "Tarn.slnx")))
        {
            directory = directory.Parent ?? throw new DirectoryNotFoundException("The tests run outside the repository.");
        }

        return directory.FullName;
    }
}
