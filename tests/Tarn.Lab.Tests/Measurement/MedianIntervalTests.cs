using System.Numerics;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Tests.Measurement;

public class MedianIntervalTests
{
    [Fact]
    public void Nine_values_leave_one_out_at_each_end_whatever_their_order()
    {
        Assert.Equal(new MedianInterval(5, 2, 8), MedianInterval.Of([9, 1, 8, 2, 7, 3, 6, 4, 5]));
    }

    [Fact]
    public void An_even_count_has_its_median_between_the_two_in_the_middle()
    {
        Assert.Equal(new MedianInterval(35, 10, 1000), MedianInterval.Of([1000, 10, 20, 30, 40, 50]));
    }

    [Fact]
    public void Fewer_than_six_values_give_their_whole_range()
    {
        Assert.Equal(new MedianInterval(7, 7, 7), MedianInterval.Of([7]));
        Assert.Equal(new MedianInterval(3, 1, 100), MedianInterval.Of([4, 100, 3, 2, 1]));
    }

    [Fact]
    public void No_values_have_no_median()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => MedianInterval.Of([]));
    }

    // From tables of the sign test at 5 %, two-sided.
    [Theory]
    [InlineData(1, 0)]
    [InlineData(6, 0)]
    [InlineData(8, 0)]
    [InlineData(9, 1)]
    [InlineData(11, 1)]
    [InlineData(12, 2)]
    [InlineData(15, 3)]
    [InlineData(20, 5)]
    [InlineData(25, 7)]
    [InlineData(100, 39)]
    public void The_interval_ends_where_the_sign_test_says(int count, int skipped)
    {
        Assert.Equal(skipped, MedianInterval.SkippedAtEachEnd(count));
    }

    [Fact]
    public void Every_count_skips_the_most_that_leaves_a_fortieth_at_each_end()
    {
        for (var count = 6; count <= 250; count++)
        {
            BigInteger choose = 1;
            BigInteger below = 1;
            var most = 0;
            while (true)
            {
                choose = choose * (count - most) / (most + 1);
                below += choose;
                if (below * 40 > BigInteger.One << count)
                {
                    break;
                }

                most++;
            }

            Assert.True(most == MedianInterval.SkippedAtEachEnd(count), $"{count} values: {most} expected");
        }
    }
}
