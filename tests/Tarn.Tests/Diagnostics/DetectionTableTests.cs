using Tarn.Tests.Support;
using Tarn.Tests.Tidy;

namespace Tarn.Tests.Diagnostics;

public class DetectionTableTests
{
    private const string Document = "docs/trust.md";
    private const string Begin = "<!-- detect -->";
    private const string End = "<!-- /detect -->";

    /// <summary>Set, it has the test write the table instead of comparing it.</summary>
    private const string WriteVariable = "TARN_WRITE_DETECTION";

    [SkippableFact]
    public void The_document_states_the_misuses_that_the_checks_detect()
    {
        Skip.IfNot(StressLength.IsLong, "each misuse is made with each check; the long form does it");
        string path = Repository.At(Document);
        string text = File.ReadAllText(path).ReplaceLineEndings("\n");
        int begin = text.IndexOf(Begin, StringComparison.Ordinal) + Begin.Length;
        int end = text.IndexOf(End, StringComparison.Ordinal);
        Assert.True(begin >= Begin.Length && end >= begin, $"{Document} has no {Begin} and {End}.");

        string table = "\n" + DetectionTable.Make();
        if (Environment.GetEnvironmentVariable(WriteVariable) is not null)
        {
            File.WriteAllText(path, text[..begin] + table + text[end..]);
            return;
        }

        Assert.True(
            text[begin..end] == table,
            $"The checks detect something else than {Document} says. If that is meant, run this test with {WriteVariable}=1. "
                + $"Found: {table}");
    }
}
