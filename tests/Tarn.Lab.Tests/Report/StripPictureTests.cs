using System.Xml.Linq;
using Tarn.Lab.Model;
using Tarn.Lab.Report.Outline;
using Tarn.Lab.Report.Strips;

namespace Tarn.Lab.Tests.Report;

public class StripPictureTests
{
    private static readonly StripSize s_size = StripSize.Wide;

    [Fact]
    public void Equal_is_in_the_middle_and_half_and_double_are_equally_far_from_it()
    {
        var scale = Scale(Compare(0.3, 0.6, 1.1, 2.5));

        Assert.Equal(500, scale.X(1), 6);
        Assert.Equal(scale.X(2) - 500, 500 - scale.X(0.5), 6);
        Assert.True(scale.X(0.5) < scale.X(1));
        Assert.Equal(4, scale.Reach);
        Assert.Equal(0, scale.Gutter);
        Assert.Equal(1000, scale.X(4), 6);
    }

    [Fact]
    public void A_few_ratios_beyond_the_axis_stand_in_a_gutter_and_do_not_press_the_others_together()
    {
        var scale = Scale([.. Compare([.. Enumerable.Repeat(0.5, 40)]), .. Compare(0.001, 900)]);

        Assert.Equal(2, scale.Reach);
        Assert.Equal(30, scale.Gutter);
        Assert.Equal(1000 - 30, scale.X(2), 6);
    }

    [Fact]
    public void Every_measured_comparison_has_a_dot_on_its_side_in_the_order_of_the_ratios()
    {
        Comparison[] comparisons = [.. Compare(0.99, 1.01, 0.4, 0.41, 0.42, 3, 1.5, 0.0001, 5000, 0.98, 1.02), .. Compare(double.NaN)];
        var scale = Scale(comparisons[..^1]);

        var dots = StripDots.Place(comparisons, scale, s_size);

        Assert.Equal(11, dots.Count);
        Assert.Equal(dots.OrderBy(dot => dot.Comparison.Ratio), dots);
        Assert.All(dots, dot => Assert.Equal(Math.Sign(Math.Log(dot.Comparison.Ratio)), Math.Sign(dot.X - 500)));
        Assert.All(dots, dot => Assert.InRange(dot.X, 0, 1000));
        Assert.All(
            dots.Where(dot => scale.Holds(dot.Comparison.Ratio)),
            dot => Assert.InRange(dot.X - scale.X(dot.Comparison.Ratio), -s_size.Pitch, s_size.Pitch));
    }

    [Fact]
    public void Dots_do_not_cover_each_other_while_there_is_room()
    {
        var comparisons = Compare([.. Enumerable.Range(0, 60).Select(i => 0.3 + (i * 0.01)), .. Enumerable.Repeat(2.0, 9)]);

        var dots = StripDots.Place(comparisons, Scale(comparisons), s_size);

        static double Distance(StripDot a, StripDot b) => Math.Sqrt(Math.Pow(a.X - b.X, 2) + Math.Pow(a.Y - b.Y, 2));
        Assert.All(dots, (dot, i) => Assert.All(dots.Skip(i + 1), other => Assert.True(Distance(dot, other) > s_size.Pitch - 0.01)));
    }

    [Fact]
    public void A_high_stack_stays_in_its_strip()
    {
        var comparisons = Compare([.. Enumerable.Repeat(0.7, 90), 0.2]);

        var dots = StripDots.Place(comparisons, Scale(comparisons), s_size);

        Assert.Equal(s_size.HalfHeight, dots.Max(dot => Math.Abs(dot.Y)), 1);
        Assert.Equal(0, dots[0].Y);
    }

    [Fact]
    public void A_file_of_its_own_is_whole_has_colours_for_both_schemes_and_refers_to_nothing()
    {
        var subjects = ReportOutline.Of(SampleReport.Build());
        var text = StripPicture.Standalone(subjects);

        var svg = XDocument.Parse(text);
        XNamespace ns = "http://www.w3.org/2000/svg";
        string[] titles = [.. svg.Descendants(ns + "title").Select(title => title.Value)];
        Assert.Equal(17, titles.Length);
        Assert.Contains("Single bytes, against <MemoryStream> & more, against ArrayPool<byte>.Shared: 1.18×, loss", titles);
        Assert.Empty(svg.Descendants(ns + "a"));
        Assert.Contains("prefers-color-scheme: dark", text, StringComparison.Ordinal);
        Assert.Contains("class=\"background\"", text, StringComparison.Ordinal);
        Assert.DoesNotContain("http", text.Replace(ns.NamespaceName, "", StringComparison.Ordinal), StringComparison.Ordinal);
        Assert.Equal(["win", "no difference", "loss", "median"], svg.Descendants(ns + "text").Select(t => t.Value).Skip(1).Take(4));
    }

    [Fact]
    public void The_text_alternative_sums_up_every_subject_that_compared_something()
    {
        var words = StripText.Describe(ReportOutline.Of(SampleReport.Build()));

        Assert.Contains("Array pool: 14 comparisons, median 0.60×, 3 losses.", words, StringComparison.Ordinal);
        Assert.Contains("Shared memory: 1 comparison, median 0.012×, no loss.", words, StringComparison.Ordinal);
        Assert.DoesNotContain(Subjects.Other, words, StringComparison.Ordinal);
    }

    private static StripScale Scale(IReadOnlyCollection<Comparison> comparisons) => new(comparisons, 0, 1000, 30);

    private static Comparison[] Compare(params double[] ratios) =>
        [.. ratios.Select((ratio, i) => SampleReport.Compare($"single-{i}", ratio))];
}
