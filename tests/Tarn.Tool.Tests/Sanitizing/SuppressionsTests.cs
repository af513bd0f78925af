using Tarn.Lab.Tests;
using Tarn.Sanitizing.Checking;
using Tarn.Tool.Sanitizing;
using Tarn.Traces;

namespace Tarn.Tool.Tests.Sanitizing;

/// <summary>What a file of suppressions excuses, and what an error in it says.</summary>
public class SuppressionsTests
{
    [Theory]
    [InlineData("buffer-lost:My.Cache.Get", true)]
    [InlineData("# a comment\n\n buffer-lost : My.Cache.* # why", true)]
    [InlineData("*:*.Main", true)]
    [InlineData("buffer-lost:My.Cache", false)]
    [InlineData("buffer-returned-twice:My.Cache.Get", false)]
    public void A_line_excuses_a_kind_at_a_method(string text, bool excuses) => Assert.Equal(excuses, Read(text).Excuse(Lost()));

    [Theory]
    [InlineData("leak:My.Cache.Get")]
    [InlineData("buffer-lost")]
    [InlineData("buffer-lost:")]
    public void A_line_that_is_none_is_named(string text)
    {
        string message = Assert.Throws<InvalidDataException>(() => Read($"\n{text}")).Message;
        Assert.Contains($"(2): \"{text}\" is no suppression", message, StringComparison.Ordinal);
        Assert.Contains("buffer-written-after-return", message, StringComparison.Ordinal);
    }

    private static Suppressions Read(string text)
    {
        using var folder = new TemporaryDirectory();
        File.WriteAllText(folder.File("list"), text);
        return Suppressions.Read(folder.File("list"));
    }

    private static SanitizerFinding Lost() => Assert.Single(SanitizerFinding.Of(
        new ReportedIncident
        {
            Process = 1,
            Kind = IncidentKind.Lost,
            Pool = "a pool",
            Element = "Byte",
            Length = 1,
            Detail = "",
            Rented = [new StackFrame("My.Cache.Get", "My"), new StackFrame("Program.Main", "My")],
        }));
}
