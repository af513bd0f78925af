namespace Tarn.Tests.Tidy;

public sealed class AssistantIndexTests
{
    [Fact]
    public void Llms_txt_is_written_from_the_pages()
    {
        string path = Repository.At("llms.txt");
        string received = Repository.At("llms.received.txt");
        string text = AssistantIndex.Write(Read("README.md"), Read("docs/assistants.md"), Read("docs/README.md"));
        if (File.Exists(path) && Read("llms.txt") == text)
        {
            File.Delete(received);
            return;
        }

        File.WriteAllText(received, text);
        Assert.Fail("The pages have changed, of which llms.txt is made: rename llms.received.txt beside it to llms.txt and commit it.");
    }

    [Fact]
    public void It_begins_with_the_start_and_leads_to_files_that_exist()
    {
        string text = Read("llms.txt");

        Assert.Contains("\n- [Start](docs/start.md): ", text, StringComparison.Ordinal);
        Assert.Empty(MarkdownPaths.FindMissing(
            text, static path => File.Exists(Repository.At(path)) || Directory.Exists(Repository.At(path))));
    }

    [Fact]
    public void Rows_become_links_from_the_root()
    {
        const string readme = "# Name\n\n<!--badges-->\n[![x](y)](z)\n<!--/badges-->\n\nIt is this\nand that.\n\n## More\n";
        const string assistants = "# A\n\nWhy.\n\n## The rules of ownership\n\n1. Do [so](so.md).\n2. Not that.\n\n## Next\n";
        const string index =
            "# D\n\n[No row](no.md).\n\n## Use it\n\n| page | subject |\n|---|---|\n| [One](one.md) | `A`; [two](two.md#place) |\n"
            + "| [Three](../three/README.md) | [here](#there), [far](https://example.org/x) |\n\n"
            + "## How\n\n| a | b |\n|---|---|\n| `A` | c |\n";

        Assert.Equal(
            """
            # Tarn

            > It is this
            > and that.

            Rules for C# that rents or returns buffers:

            1. Do [so](docs/so.md).
            2. Not that.

            ## Use it

            - [One](docs/one.md): `A`; [two](docs/two.md#place)
            - [Three](three/README.md): [here](#there), [far](https://example.org/x)

            """,
            AssistantIndex.Write(readme, assistants, index));
    }

    private static string Read(string path) => File.ReadAllText(Repository.At(path)).ReplaceLineEndings("\n");
}
