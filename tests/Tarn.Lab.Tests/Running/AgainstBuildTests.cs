using Tarn.Lab.Running;
using Tarn.Lab.Tests.Claims;

namespace Tarn.Lab.Tests.Running;

public class AgainstBuildTests
{
    [Fact]
    public void A_run_passes_its_options_on_and_measures_the_comparison_unless_an_experiment_is_named()
    {
        var plain = new LabOptions { OutputDirectory = "out", Seed = 7 };
        var named = plain with { Full = true, Only = ["against", "against-kept-out"] };

        Assert.Equal(["lab.dll", "--only", "against", "--out", "out", "--seed", "7"], AgainstBuild.ArgumentsOf("lab.dll", plain));
        Assert.Equal(
            ["lab.dll", "--only", "against,against-kept-out", "--out", "out", "--seed", "7", "--full"],
            AgainstBuild.ArgumentsOf("lab.dll", named));
    }

    [Fact]
    public async Task An_unknown_commit_is_refused_with_one_sentence_and_nothing_is_written()
    {
        using var directory = new TemporaryDirectory();

        var lab = await LabProcess.Run(directory.Path, "--against", "no-such-commit");

        Assert.Equal(2, lab.ExitCode);
        Assert.Equal("--against no-such-commit: this repository has no such commit.", lab.Error.TrimEnd());
        Assert.Equal("", lab.Output);
        Assert.Empty(Directory.EnumerateFileSystemEntries(directory.Path));
    }
}
