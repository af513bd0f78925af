using Tarn.Lab.Claims;

namespace Tarn.Lab.Tests.Claims;

public class ClaimDocumentsTests
{
    [Fact]
    public void Documents_that_state_the_measured_figures_have_no_problems()
    {
        using var repository = new StatingRepository("0.55");

        Assert.Empty(ClaimDocuments.Reconcile(repository.Root, write: false));
    }

    [Fact]
    public void Checking_names_each_file_that_differs_and_changes_none()
    {
        using var repository = new StatingRepository("0.50", docsFigure: "0.51");

        var problems = ClaimDocuments.Reconcile(repository.Root, write: false);

        Assert.Equal(
            [
                "README.md: claim 'single' is stated as '0.50' and was measured as '0.55'",
                "docs/deep/more.md: claim 'single' is stated as '0.51' and was measured as '0.55'",
            ],
            problems.Select(problem => problem.Replace('\\', '/')));
        Assert.Equal(StatingRepository.Stating("0.50"), File.ReadAllText(repository.Readme));
        Assert.Equal(StatingRepository.Stating("0.51"), File.ReadAllText(repository.Document));
    }

    [Fact]
    public void Writing_corrects_differences_and_reports_those_it_cannot_correct()
    {
        using var repository = new StatingRepository("0.50", docsFigure: "0.51");
        File.AppendAllText(repository.Document, "<!-- claim:nobody -->1<!-- /claim -->\n");

        var problems = ClaimDocuments.Reconcile(repository.Root, write: true);

        Assert.Equal(["docs/deep/more.md: claim 'nobody' has no measured figure"], problems.Select(problem => problem.Replace('\\', '/')));
        Assert.Equal(StatingRepository.Stating("0.55"), File.ReadAllText(repository.Readme));
        Assert.Equal(StatingRepository.Stating("0.55") + "<!-- claim:nobody -->1<!-- /claim -->\n", File.ReadAllText(repository.Document));
    }

    [Theory]
    [InlineData("not json")]
    [InlineData("null")]
    [InlineData("{}")]
    [InlineData("[]")]
    public void A_file_without_claims_is_reported(string text)
    {
        using var repository = new StatingRepository("0.55");
        File.WriteAllText(repository.ClaimsFile, text);

        var exception = Assert.Throws<InvalidDataException>(() => ClaimDocuments.Reconcile(repository.Root, write: true));

        Assert.StartsWith(repository.ClaimsFile, exception.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Claims_are_read_back_as_they_were_written()
    {
        using var repository = new StatingRepository("0.55");

        var claim = Assert.Single(ClaimFile.Read(repository.ClaimsFile).Claims);

        Assert.Equal(
            ("single", "At most 0.55.", "0.55", 0.547, 0.6, true),
            (claim.Id, claim.Sentence, claim.Figure, claim.Value, claim.Bound, claim.Holds));
        Assert.Equal([new ClaimEvidence("single-1kib", "One buffer", 0.547, 0.54, 0.56)], claim.Evidence);
    }

    /// <summary>The bound is the list's: 0.6 in the file is that of the file's day.</summary>
    [Theory]
    [InlineData(0.547, "\n\nNone.\n")]
    [InlineData(0.7, "\n\n| claim | measured | bound | run |\n|---|---|---|---|\n| `single` | … at most 0.70 of `Span<byte>` | 0.65 ")]
    [InlineData(double.NaN, "\n\n| claim | measured | bound | run |\n|---|---|---|---|\n| `single` | … at most ")]
    public void Claims_of_committed_runs_that_exceed_their_bounds_are_listed(double value, string expected)
    {
        using var repository = new StatingRepository("0.55");
        ClaimFile recorded = ClaimFile.Read(repository.ClaimsFile);
        (recorded with { Claims = [recorded.Claims[0] with { Value = value }] }).WriteTo(Path.GetDirectoryName(repository.ClaimsFile)!);
        Claim claim = ClaimList.All.Single(static claim => claim.Id == "single") with
        {
            Sentence = "at most {0} of `Span<byte>`;",
            Bound = 0.65,
        };

        Assert.StartsWith(expected, MissedClaims.Table(repository.Root, [claim]), StringComparison.Ordinal);
    }

    [Fact]
    public void The_list_of_missed_claims_is_written_between_its_markers()
    {
        using var repository = new StatingRepository("0.55");
        const string marked = "<!-- claim:missed --><!-- /claim -->\n";
        File.AppendAllText(repository.Document, marked);

        Assert.Single(ClaimDocuments.Reconcile(repository.Root, write: false));
        Assert.Empty(ClaimDocuments.Reconcile(repository.Root, write: true));
        Assert.Empty(ClaimDocuments.Reconcile(repository.Root, write: false));
        Assert.Contains("<!-- claim:missed -->\n\nNone.\n<!-- /claim -->", File.ReadAllText(repository.Document), StringComparison.Ordinal);
    }
}
