using System.Xml.Linq;
using Tarn.Pages;
using Tarn.Tool.Analysis;
using Tarn.Traces;

namespace Tarn.Tool.Checking;

/// <summary>Problems as JUnit's XML, which build servers show as failed tests. Without problems it holds one test that passed.</summary>
internal static class JUnitFile
{
    public static string Write(IReadOnlyList<Problem> problems, SourceTree sources)
    {
        Problem[] failures = [.. problems.Where(problem => problem.Fails)];
        XElement[] cases = failures.Length == 0
            ? [new XElement("testcase", new XAttribute("classname", "tarn"), new XAttribute("name", "no buffer is lost or returned twice"))]
            : [.. failures.Select(failure => Case(failure, sources))];
        var suite = new XElement(
            "testsuite",
            new XAttribute("name", "tarn check"),
            new XAttribute("tests", cases.Length),
            new XAttribute("failures", failures.Length),
            cases);
        Clean(suite);
        return new XDocument(new XDeclaration("1.0", "utf-8", null), new XElement("testsuites", suite)).ToString();
    }

    private static XElement Case(Problem problem, SourceTree sources) => new(
        "testcase",
        new XAttribute("classname", $"tarn.{ProblemRules.IdOf(problem.Kind)}"),
        new XAttribute("name", problem.Site),
        problem.Place(sources) is { } place ? new object[] { new XAttribute("file", place.File), new XAttribute("line", place.Line) } : [],
        problem.Tests.Count == 0 ? null : new XElement("properties", problem.Tests.Select(Property)),
        new XElement("failure", new XAttribute("message", problem.FullMessage), StackOf(problem)));

    /// <summary>Methods of obfuscated assemblies have names that XML cannot.</summary>
    private static void Clean(XElement suite)
    {
        foreach (XAttribute attribute in suite.DescendantsAndSelf().Attributes())
        {
            attribute.Value = ForeignText.Line(attribute.Value);
        }

        foreach (XText text in suite.DescendantNodes().OfType<XText>())
        {
            text.Value = ForeignText.Lines(text.Value);
        }
    }

    private static XElement Property(TestCount one) => new("property", new XAttribute("name", "test"), new XAttribute("value", one.Test));

    private static string StackOf(Problem problem) =>
        string.Join('\n', problem.Frames.Select((StackFrame frame) => $"  at {CallSite.Text(frame)}"));
}
