using System.Xml.Linq;
using Tarn.Lab.Model;

namespace Tarn.Lab.Tests.Report;

public class SvgPictureTests
{
    public static TheoryData<string> ChartIds => [.. SampleReport.Build().Sections.SelectMany(s => s.Charts).Select(c => c.Id)];

    [Theory]
    [MemberData(nameof(ChartIds))]
    public void A_standalone_picture_is_well_formed_described_and_finite(string id)
    {
        var chart = Chart(id);

        var svg = XDocument.Parse(SvgPicture.Standalone(chart)).Root!;
        Assert.Equal("img", svg.Attribute("role")?.Value);
        Assert.Equal($"{chart.Title}. {chart.Description}", svg.Attribute("aria-label")?.Value);
        Assert.Contains("prefers-color-scheme: dark", svg.ToString(), StringComparison.Ordinal);
        string[] geometry = ["d", "x", "y", "x1", "y1", "x2", "y2", "width", "height", "transform", "viewBox"];
        foreach (var attribute in svg.Descendants().Attributes().Where(a => geometry.Contains(a.Name.LocalName)))
        {
            Assert.False(attribute.Value.Contains("NaN", StringComparison.Ordinal) || attribute.Value.Contains('∞'), attribute.ToString());
        }
    }

    [Fact]
    public void A_published_line_takes_the_look_of_the_measured_one_it_is_named_after_and_of_no_other()
    {
        var looks = SeriesLook.Assign(
        [
            new("MemoryStream", SeriesRole.Peer, []),
            new("new byte[]", SeriesRole.Peer, []),
            new("MemoryStream, published", SeriesRole.Published, []),
            new("MemoryStreamSlim, published", SeriesRole.Published, []),
            new("new byte[], published 2021", SeriesRole.Published, []),
        ]);

        Assert.Equal(looks[0].Colour, looks[2].Colour);
        Assert.Equal(looks[1].Colour, looks[4].Colour);
        Assert.Distinct([looks[0].Colour, looks[1].Colour, looks[3].Colour]);
    }

    [Fact]
    public void Every_value_that_can_be_shown_has_its_point()
    {
        var chart = Chart("allocation");

        var titles = Titles(chart);

        Assert.Equal(11 * 24, titles.Count);
        Assert.Contains($"new byte[], published 2021\n16 B\n{chart.Series[9].Points[0].Y:0.00} ns", titles);
    }

    [Fact]
    public void Values_that_a_logarithmic_axis_cannot_show_are_left_out_and_noted()
    {
        var chart = Chart("zero-and-nan");

        Assert.Equal(3, Titles(chart).Count);
        Assert.Equal(
            "1 value at or below zero cannot be shown on a logarithmic axis. Nothing to draw for Nothing at all.", SvgPicture.Note(chart));
    }

    [Fact]
    public void A_gap_is_not_joined()
    {
        var chart = Chart("zero-and-nan") with
        {
            Series = [new("a", SeriesRole.Ours, [new(16, 1), new(32, 2), new(64, double.NaN), new(128, 4), new(256, 5)])],
        };

        var curve = Root(chart)
            .Descendants()
            .Single(e => e.Attribute("class")?.Value == "curve" && e.Parent!.Elements().Any(s => s.Elements().Any()));

        Assert.Equal(2, curve.Attribute("d")!.Value.Count(c => c == 'M'));
        Assert.Equal(2, curve.Attribute("d")!.Value.Count(c => c == 'L'));
    }

    [Fact]
    public void Nothing_measured_is_said()
    {
        Assert.True(SvgPicture.IsEmpty(Chart("nothing")));
        Assert.Contains("Nothing was measured for this picture.", SvgPicture.Standalone(Chart("nothing")), StringComparison.Ordinal);
    }

    [Fact]
    public void Bars_say_their_values_zero_and_missing_included()
    {
        var texts = Root(Chart("collections")).Descendants().Where(e => e.Name.LocalName == "text").Select(e => e.Value).ToList();

        Assert.Equal(6 * 4 + 6 + 6 * 4 + 2, texts.Count);
        Assert.Contains("999", texts);
        Assert.Contains("not measured", texts);
        Assert.Equal(20, texts.Count(t => t == "0"));
    }

    [Fact]
    public void A_bar_without_a_category_and_zeros_on_a_logarithmic_axis_are_still_there()
    {
        var chart =
            Chart("bytes-per-operation") with { Categories = ["named"], Series = [new("a", SeriesRole.Ours, [new(0, 0), new(1, 0)])] };

        var texts = Root(chart).Descendants().Where(e => e.Name.LocalName == "text").Select(e => e.Value).ToList();

        Assert.Equal(["named", "0 B", "1", "0 B"], texts[2..]);
        Assert.DoesNotContain(Root(chart).Descendants(), e => e.Attribute("class")?.Value == "bar");
    }

    private static List<string> Titles(Chart chart) =>
        [.. Root(chart).Descendants().Where(e => e.Name.LocalName == "title").Select(e => e.Value)];

    private static XElement Root(Chart chart) => XDocument.Parse(SvgPicture.Standalone(chart)).Root!;

    private static Chart Chart(string id) => SampleReport.Build().Sections.SelectMany(s => s.Charts).Single(c => c.Id == id);
}
