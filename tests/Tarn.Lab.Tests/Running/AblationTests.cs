using Tarn.Lab.Measurement;
using Tarn.Lab.Running;
using Tarn.Lab.Tests.Claims;

namespace Tarn.Lab.Tests.Running;

public class AblationTests
{
    public static TheoryData<string> Names => [.. Ablation.All.Select(static ablation => ablation.Name)];

    /// <summary>A mechanism that moved or fell must not leave a comparison of the library with itself.</summary>
    [Theory]
    [MemberData(nameof(Names))]
    public void Each_text_stands_in_the_source_once(string name)
    {
        using var copy = new TemporaryDirectory();
        var ablation = Ablation.Find(name);
        string library = Path.Combine(BuiltProgram.FindRepository(), "src", "Tarn");
        foreach ((string file, _, _) in ablation.Replacements)
        {
            Directory.CreateDirectory(Path.GetDirectoryName(Path.Combine(copy.Path, file))!);
            File.Copy(Path.Combine(library, file), Path.Combine(copy.Path, file), overwrite: true);
        }

        ablation.Apply(copy.Path);

        foreach ((string file, string text, string instead) in ablation.Replacements)
        {
            string changed = File.ReadAllText(Path.Combine(copy.Path, file));
            Assert.DoesNotContain(text, changed, StringComparison.Ordinal);
            Assert.Contains(instead, changed, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void A_text_that_is_not_in_the_source_is_refused()
    {
        using var copy = new TemporaryDirectory();
        File.WriteAllText(Path.Combine(copy.Path, "A.cs"), "one two two");

        foreach (string text in (string[])["two", "three"])
        {
            var refusal = Assert.Throws<InvalidDataException>(() => new Ablation("a", "b", ("A.cs", text, "c")).Apply(copy.Path));
            Assert.Equal($"--without a: A.cs does not have \"{text}\" exactly once.", refusal.Message);
        }
    }

    [Fact]
    public async Task An_unknown_mechanism_is_refused_with_the_known_ones()
    {
        using var directory = new TemporaryDirectory();

        var lab = await LabProcess.Run(directory.Path, "--without", "luck");

        Assert.Equal(2, lab.ExitCode);
        Assert.StartsWith("--without luck: there is no such mechanism. Known are:", lab.Error, StringComparison.Ordinal);
        Assert.All(Ablation.All, ablation => Assert.Contains(ablation.Name, lab.Error, StringComparison.Ordinal));
    }
}
