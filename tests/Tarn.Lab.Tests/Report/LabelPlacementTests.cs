using Tarn.Lab.Model;

namespace Tarn.Lab.Tests.Report;

public class LabelPlacementTests
{
    private static readonly AxisScale s_scale = AxisScale.Over(new Axis("x", "", false), [0, 100], 40, 340, padded: false);

    [Theory]
    [InlineData(20, 60, 95)]
    [InlineData(33, 36, 83)]
    [InlineData(90, 95, 100)]
    [InlineData(1, 2, 3)]
    [InlineData(50, 50, 50)]
    public void Labels_of_marks_do_not_overlap_and_stay_in_the_picture(double a, double b, double c)
    {
        Mark[] marks = [new(a, "first mark"), new(b, "second mark"), new(c, "third mark")];

        var placed = MarkLabel.Place(marks, s_scale, 358, 12);

        Assert.Equal(3, placed.Count);
        Assert.All(placed, label => Assert.InRange(label.From, 0, 358 - (Svg.WidthOf(label.Text, 12) - 0.001)));
        foreach (var (one, other) in placed.SelectMany((one, i) => placed.Skip(i + 1).Select(other => (one, other))))
        {
            Assert.False(one.Row == other.Row && one.From < other.To && other.From < one.To, $"{one} overlaps {other}");
            if (one.X != other.X)
            {
                Assert.False(one.Row >= other.Row && one.X > other.From && one.X < other.To, $"{one} runs through {other}");
                Assert.False(other.Row >= one.Row && other.X > one.From && other.X < one.To, $"{other} runs through {one}");
            }
        }
    }

    [Fact]
    public void Names_beside_lines_keep_their_order_and_distance()
    {
        double[] wanted = [100, 101, 102, 390, 395];
        double[] heights = [20, 34, 20, 20, 20];

        var centres = EndLabels.Spread(wanted, heights, 0, 400);

        for (var i = 1; i < centres.Length; i++)
        {
            Assert.True(centres[i] - centres[i - 1] >= (heights[i] + heights[i - 1]) / 2 - 1e-9);
        }

        Assert.True(centres[0] >= 10);
        Assert.True(centres[^1] <= 390);
        Assert.Equal(100, centres[0]);
    }

    [Fact]
    public void A_published_series_looks_like_the_measured_one_it_names()
    {
        var looks = SeriesLook.Assign([
            new("ours", SeriesRole.Ours, []), new("new byte[]", SeriesRole.Peer, []), new("Shared", SeriesRole.Peer, []),
            new("Shared, published 2021", SeriesRole.Published, []), new("elsewhere", SeriesRole.Published, []),
        ]);

        Assert.Equal(looks[2].Colour, looks[3].Colour);
        Assert.Equal(looks[2].Marker, looks[3].Marker);
        Assert.Equal(4, looks.Select(l => l.Colour).Distinct().Count());
    }

    [Fact]
    public void Text_is_cut_to_its_width()
    {
        Assert.Equal("short", Svg.Fit("short", 100, 12));
        var cut = Svg.Fit("a name that is far too long for its place", 100, 12);
        Assert.EndsWith("…", cut, StringComparison.Ordinal);
        Assert.True(Svg.WidthOf(cut, 12) <= 100);
    }
}
