using Tarn.Lab.Experiments.Native;

namespace Tarn.Lab.Tests.Experiments;

public class MemoryCourseTests
{
    private readonly MemoryCourse _memory = new("one", [new(1, 50), new(2, 200), new(3, 180), new(4, 60), new(5, 10)], LoadEnd: 2.5);

    [Fact]
    public void The_share_is_of_the_most_there_ever_was()
    {
        Assert.Equal(200, _memory.Peak);
        Assert.Equal(10, _memory.AtEnd);
        Assert.Equal(0.05, _memory.ShareAtEnd);
    }

    [Theory]
    [InlineData(0, 200)]
    [InlineData(0.5, 180)]
    [InlineData(1.9, 60)]
    [InlineData(100, 10)]
    public void A_moment_is_read_from_the_last_sample_before_it(double secondsOfQuiet, double bytes)
    {
        Assert.Equal(bytes, _memory.After(TimeSpan.FromSeconds(secondsOfQuiet)));
    }
}
