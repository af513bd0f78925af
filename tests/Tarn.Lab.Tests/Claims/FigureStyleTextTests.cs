using System.Globalization;
using Tarn.Lab.Claims;

namespace Tarn.Lab.Tests.Claims;

public class FigureStyleTextTests
{
    [Theory]
    [InlineData(0.55, "0.55")]
    [InlineData(0.5501, "0.56")]
    [InlineData(0.549, "0.55")]
    [InlineData(0.30000000000000004, "0.30")]
    [InlineData(0, "0.00")]
    [InlineData(1.001, "1.01")]
    [InlineData(double.NaN, "NaN")]
    public void A_ratio_is_rounded_up(double value, string text) => Assert.Equal(text, FigureStyle.Ratio.Format(value));

    [Theory]
    [InlineData(0.2, "5.0")]
    [InlineData(0.201, "4.9")]
    [InlineData(0.151, "6.6")]
    [InlineData(0.1, "10.0")]
    [InlineData(0.3, "3.3")]
    [InlineData(1.25, "0.8")]
    public void How_many_times_as_fast_is_rounded_down(double ratio, string text) => Assert.Equal(text, FigureStyle.Times.Format(ratio));

    [Theory]
    [InlineData(0.199, "19.9 %")]
    [InlineData(0.1981, "19.9 %")]
    [InlineData(0.1991, "20 %")]
    [InlineData(0.00001, "0.1 %")]
    [InlineData(0, "0 %")]
    [InlineData(-0.0, "0 %")]
    public void A_share_is_rounded_up_to_a_tenth_of_a_per_cent(double share, string text) =>
        Assert.Equal(text, FigureStyle.Percent.Format(share));

    [Theory]
    [InlineData(48.2, "49 ns")]
    [InlineData(49, "49 ns")]
    [InlineData(1234.5, "1,235 ns")]
    public void A_time_is_rounded_up_to_a_nanosecond(double nanoseconds, string text) =>
        Assert.Equal(text, FigureStyle.Nanoseconds.Format(nanoseconds));

    [Theory]
    [InlineData(0, "0")]
    [InlineData(0.01, "1")]
    [InlineData(24, "24")]
    [InlineData(1_048_576.5, "1,048,577")]
    public void Bytes_are_rounded_up_to_whole_ones(double bytes, string text) => Assert.Equal(text, FigureStyle.Bytes.Format(bytes));

    [Fact]
    public void No_text_promises_more_than_was_measured()
    {
        for (var tenThousandth = 1; tenThousandth <= 20_000; tenThousandth++)
        {
            var value = tenThousandth / 10_000.0;
            var exact = tenThousandth / 10_000m;
            Assert.InRange(Read(FigureStyle.Ratio.Format(value)), exact, exact + 0.0099m);
            Assert.InRange(Read(FigureStyle.Percent.Format(value)[..^2]) / 100, exact, exact + 0.0009m);
            Assert.InRange(Read(FigureStyle.Times.Format(value)), (1 / exact) - 0.1m, 1 / exact);
        }
    }

    [Fact]
    public void An_unknown_style_is_refused()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => ((FigureStyle)99).Format(1));
    }

    private static decimal Read(string text) => decimal.Parse(text, CultureInfo.InvariantCulture);
}
