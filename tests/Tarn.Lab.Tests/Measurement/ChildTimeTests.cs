using Tarn.Lab.Measurement;

namespace Tarn.Lab.Tests.Measurement;

public class ChildTimeTests
{
    [Fact]
    public void The_childrens_ticks_are_read_whatever_the_programs_name() => Assert.Equal(
        (250 + 70) * 1e7,
        ChildTime.Parse("4711 (tarn (lab) x) S 1 4711 4711 0 -1 4194560 100 200 3 4 11 12 250 70 20 0 16 0 12345 678 90 0\n"));
}
