using Tarn.Lab.Claims;
using Tarn.Lab.Tests.Report;

namespace Tarn.Lab.Tests.Claims;

/// <summary>A repository of two documents in which the claim <c>single</c> was measured as 0.55.</summary>
internal sealed class StatingRepository : IDisposable
{
    private readonly TemporaryDirectory _directory = new();

    public StatingRepository(string readmeFigure, string docsFigure = "0.55")
    {
        Directory.CreateDirectory(_directory.File("docs/deep"));
        File.WriteAllText(_directory.File("Tarn.slnx"), "<Solution />");
        File.WriteAllText(Readme, Stating(readmeFigure));
        File.WriteAllText(Document, Stating(docsFigure));
        var measured = new ClaimResult
        {
            Id = "single",
            Sentence = "At most 0.55.",
            Figure = "0.55",
            Value = 0.547,
            Bound = 0.6,
            Holds = true,
            Evidence = [new ClaimEvidence("single-1kib", "One buffer", 0.547, 0.54, 0.56)],
        };
        ClaimsFile = new ClaimFile(SampleReport.Empty().Run, [measured]).WriteTo(_directory.File("lab/results"));
    }

    public string Root => _directory.Path;

    public string Readme => _directory.File("README.md");

    public string Document => _directory.File("docs/deep/more.md");

    public string ClaimsFile { get; }

    public static string Stating(string figure) => $"At most <!-- claim:single -->{figure}<!-- /claim -->.\n";

    public void Dispose() => _directory.Dispose();
}
