using Tarn.Lab.Model;
using Tarn.Lab.Report.Facts;

namespace Tarn.Lab.Tests.Report;

public class QuantityTests
{
    [Theory]
    [InlineData(0, "ns", "0 ns")]
    [InlineData(0.0001, "ns", "< 0.001 ns")]
    [InlineData(0.123, "ns", "0.123 ns")]
    [InlineData(2.4, "ns", "2.40 ns")]
    [InlineData(14.23, "ns", "14.2 ns")]
    [InlineData(118, "ns", "118 ns")]
    [InlineData(999.4, "ns", "999 ns")]
    [InlineData(999.7, "ns", "1.00 µs")]
    [InlineData(1523, "ns", "1.52 µs")]
    [InlineData(2_800_000, "ns", "2.80 ms")]
    [InlineData(5.2e12, "ns", "5,200 s")]
    [InlineData(-3, "ns", "-3.00 ns")]
    [InlineData(0.25, "s", "250 ms")]
    [InlineData(30, "s", "30.0 s")]
    [InlineData(0, "s", "0 s")]
    public void Times_take_the_unit_that_fits(double value, string unit, string expected) =>
        Assert.Equal(expected, Quantity.Format(value, unit));

    [Theory]
    [InlineData(0, "0 B")]
    [InlineData(16, "16 B")]
    [InlineData(1000, "1 kB")]
    [InlineData(1024, "1 KiB")]
    [InlineData(1536, "1.50 KiB")]
    [InlineData(100_000, "100 kB")]
    [InlineData(10_000_000, "10 MB")]
    [InlineData(230_400, "225 KiB")]
    [InlineData(10_002_724, "9.54 MiB")]
    [InlineData(134_217_728, "128 MiB")]
    [InlineData(34_359_738_368, "32 GiB")]
    public void Sizes_are_binary_except_round_decimal_ones(double bytes, string expected) =>
        Assert.Equal(expected, Quantity.Format(bytes, "B"));

    [Theory]
    [InlineData(1_234_567, "", "1,234,567")]
    [InlineData(0.5, "", "0.500")]
    [InlineData(1.18e9, "op/s", "1.18 Gop/s")]
    [InlineData(0.61, "ratio", "0.61×")]
    [InlineData(0.021, "ratio", "0.021×")]
    [InlineData(42.3, "ratio", "42.3×")]
    [InlineData(3, "apples", "3.00 apples")]
    public void Other_units(double value, string unit, string expected) => Assert.Equal(expected, Quantity.Format(value, unit));

    [Theory]
    [InlineData(double.NaN)]
    [InlineData(double.PositiveInfinity)]
    public void A_missing_measurement_is_a_dash(double value)
    {
        Assert.Equal("–", Quantity.Format(value, "ns"));
        Assert.Equal("–", Quantity.Ratio(value));
        Assert.Equal("–", Quantity.Cell(value, ColumnKind.Bytes));
        Assert.Equal("–", Quantity.Cell(null, ColumnKind.Text));
    }

    [Fact]
    public void Cells_are_written_as_their_column_says()
    {
        Assert.Equal("yes", Quantity.Cell(1.0, ColumnKind.YesNo));
        Assert.Equal("no", Quantity.Cell(0.0, ColumnKind.YesNo));
        Assert.Equal("–", Quantity.Cell(double.NaN, ColumnKind.YesNo));
        Assert.Equal("12 B", Quantity.Cell(12, ColumnKind.Bytes));
        Assert.Equal("Shared", Quantity.Cell("Shared", ColumnKind.Nanoseconds));
    }

    [Fact]
    public void A_column_of_ratios_writes_one_like_its_neighbours()
    {
        Table Of(params object?[] cells) =>
            new() { Id = "t", Title = "t", Columns = [new("n", ColumnKind.Number)], Rows = [.. cells.Select(c => new[] { c })] };

        Assert.Equal("1.00", Quantity.ForColumn(Of(1.0, 0.61, null), 0)(1.0));
        Assert.Equal("1", Quantity.ForColumn(Of(1.0, 32.0, double.NaN), 0)(1.0));
    }
}
