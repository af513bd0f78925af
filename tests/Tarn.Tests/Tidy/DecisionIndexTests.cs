namespace Tarn.Tests.Tidy;

public sealed class DecisionIndexTests
{
    private const string Folder = "docs/decisions";

    [Fact]
    public void Every_decision_is_in_the_index_with_its_title_in_order()
    {
        IEnumerable<string> expected =
            from page in Repository.Files(Folder, ".md")
            where !page.EndsWith("/README.md", StringComparison.Ordinal)
            orderby page
            let heading = File.ReadLines(Repository.At(page)).First()["# ".Length..].Split(". ", 2)
            select $"- [{heading[0]}]({page[(Folder.Length + 1)..]}). {heading[1]}";

        Assert.Equal(
            expected,
            File.ReadLines(Repository.At($"{Folder}/README.md")).Where(static line => line.StartsWith("- ", StringComparison.Ordinal)));
    }
}
