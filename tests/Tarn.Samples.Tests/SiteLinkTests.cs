using Tarn.Site;

namespace Tarn.Samples.Tests;

/// <summary>What the check of the site's links finds.</summary>
public sealed class SiteLinkTests : IDisposable
{
    private readonly DirectoryInfo _html = Directory.CreateTempSubdirectory("tarn-site");

    public void Dispose() => _html.Delete(recursive: true);

    [Theory]
    [InlineData("other.html", true)]
    [InlineData("other.html#place", true)]
    [InlineData("other.html#a&amp;b", true)]
    [InlineData("folder/", true)]
    [InlineData("#here", true)]
    [InlineData("https://example.com/none", true)]
    [InlineData("data%20file.json", true)]
    [InlineData("none.html", false)]
    [InlineData("other.html#none", false)]
    [InlineData("#none", false)]
    [InlineData("empty/", false)]
    public void A_link_lives_if_its_file_and_the_place_in_it_exist(string target, bool lives)
    {
        Write("page.html", $"<h1 id=\"here\">Page</h1><a href=\"{target}\">link</a>");
        Write("other.html", "<h1 id=\"place\">Other</h1><h2 id=\"a&amp;b\">More</h2><img src=\"page.html\">");
        Write("folder/index.html", "");
        Write("empty/readme.txt", "");
        Write("data file.json", "{}");

        IReadOnlyList<string> dead = LinkCheck.FindDead(_html.FullName);

        Assert.Equal(lives ? [] : [$"page.html: {target}"], dead);
    }

    private void Write(string path, string text)
    {
        string file = Path.Combine(_html.FullName, path);
        Directory.CreateDirectory(Path.GetDirectoryName(file)!);
        File.WriteAllText(file, text);
    }
}
