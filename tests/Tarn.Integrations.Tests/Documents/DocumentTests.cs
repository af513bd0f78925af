namespace Tarn.Integrations.Tests.Documents;

public sealed class DocumentTests
{
    /// <summary>What a reader copies is what the tests of this project run.</summary>
    [Theory]
    [InlineData("docs/integrations.md", "Recipes")]
    [InlineData("docs/migrate.md", "Moves")]
    public void The_code_of_a_document_is_the_code_that_was_tested(string document, string folder) =>
        Assert.Equal(
            DocumentedCode.RegionsOf(folder).Order(StringComparer.Ordinal),
            DocumentedCode.BlocksOf(document).Order(StringComparer.Ordinal));
}
