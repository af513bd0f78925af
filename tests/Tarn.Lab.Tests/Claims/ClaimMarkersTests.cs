using Tarn.Lab.Claims;

namespace Tarn.Lab.Tests.Claims;

public class ClaimMarkersTests
{
    private static readonly Dictionary<string, string> s_figures = new() { ["single"] = "0.55", ["slack-worst"] = "19.9 %" };

    [Fact]
    public void Figures_are_filled_in_and_everything_else_is_left_as_it_was()
    {
        var filled = ClaimMarkers.Fill(
            "# T\r\nAt most <!-- claim:single --><!-- /claim --> of it,\n<!-- claim:slack-worst -->30 %<!-- /claim --> <!-- other -->\n",
            s_figures);

        Assert.Equal(
            "# T\r\nAt most <!-- claim:single -->0.55<!-- /claim --> of it,\n<!-- claim:slack-worst -->19.9 %<!-- "
                + "/claim --> <!-- other -->\n",
            filled.Text);
        Assert.Equal(
            [
                "claim 'single' is stated as '' and was measured as '0.55'",
                "claim 'slack-worst' is stated as '30 %' and was measured as '19.9 %'",
            ],
            filled.Problems);
    }

    [Fact]
    public void Filling_again_changes_nothing_and_finds_nothing()
    {
        var once = ClaimMarkers.Fill("<!-- claim:single -->9<!-- /claim --> <!-- claim:single -->0.55<!-- /claim -->", s_figures);
        var twice = ClaimMarkers.Fill(once.Text, s_figures);

        Assert.Single(once.Problems);
        Assert.Equal(once.Text, twice.Text);
        Assert.Empty(twice.Problems);
    }

    [Fact]
    public void A_claim_that_was_not_measured_is_reported_and_kept()
    {
        const string Text = "<!-- claim:nobody -->1<!-- /claim -->";

        var filled = ClaimMarkers.Fill(Text, s_figures);

        Assert.Equal(Text, filled.Text);
        Assert.Equal(["claim 'nobody' has no measured figure"], filled.Problems);
    }

    [Theory]
    [InlineData("<!-- claim:single -->0.55 and no end")]
    [InlineData("0.55<!-- /claim -->")]
    [InlineData("<!-- claim:single -->0.55<!-- /claim --><!-- /claim -->")]
    [InlineData("<!-- claim:single -->0.55<!-- claim:single -->0.55<!-- /claim -->")]
    [InlineData("<!-- /claim -->0.55<!-- claim:single -->")]
    [InlineData("<!-- claim:Single -->0.55<!-- /claim -->")]
    [InlineData("<!--claim:single-->0.55<!--/claim-->")]
    [InlineData("<!-- claim:single --><b>0.55</b><!-- /claim -->")]
    public void A_marker_that_is_not_whole_is_a_problem_and_is_not_touched(string text)
    {
        var filled = ClaimMarkers.Fill(text, s_figures);

        Assert.Equal(text, filled.Text);
        Assert.Equal(["a claim marker is not closed, or closed twice"], filled.Problems);
    }

    [Fact]
    public void Text_without_markers_has_no_problems()
    {
        var filled = ClaimMarkers.Fill("We claim: nothing. /claim", s_figures);

        Assert.Equal("We claim: nothing. /claim", filled.Text);
        Assert.Empty(filled.Problems);
    }
}
