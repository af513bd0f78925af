namespace Tarn.Tests.Tidy;

/// <summary>The test runner looks for its settings beside the tests, and runs without them if there are none.</summary>
public class RunnerSettingsTests
{
    private const string Name = "xunit.runner.json";

    [Fact]
    public void They_lie_beside_the_tests()
    {
        string beside = File.ReadAllText(Path.Combine(AppContext.BaseDirectory, Name));
        Assert.Equal(File.ReadAllText(Repository.At($"tests/Tarn.Tests/{Name}")), beside);
    }
}
