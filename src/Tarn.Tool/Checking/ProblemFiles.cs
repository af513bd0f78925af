using Tarn.Pages;
using Tarn.Tool.Analysis;
using Tarn.Tool.Commands;

namespace Tarn.Tool.Checking;

/// <summary>Tells problems: as lines for people, and in files for build servers, which are tried before the program runs.</summary>
internal sealed class ProblemFiles : IDisposable
{
    private readonly OutputFile? _baseline;
    private readonly OutputFile? _sarif;
    private readonly OutputFile? _junit;
    private readonly SourceTree _sources;

    /// <param name="baseline">The file for all problems, to accept them; null for none.</param>
    /// <param name="sarif">The file for SARIF; null for none.</param>
    /// <param name="junit">The file for JUnit's XML; null for none.</param>
    /// <param name="sources">Where sources are.</param>
    /// <exception cref="InvalidDataException">One of the files cannot be written.</exception>
    public ProblemFiles(FileInfo? baseline, FileInfo? sarif, FileInfo? junit, SourceTree sources) =>
        (_baseline, _sarif, _junit, _sources) = (Open(baseline), Open(sarif), Open(junit), sources);

    /// <summary>Writes the file of all problems, if there is to be one.</summary>
    public void Accept(IReadOnlyList<Problem> problems) => Write(_baseline, () => CheckBaseline.Write(problems));

    /// <summary>Writes the files of the problems that are not known.</summary>
    public void Write(IReadOnlyList<Problem> problems)
    {
        Write(_sarif, () => SarifFile.Write(problems, _sources));
        Write(_junit, () => JUnitFile.Write(problems, _sources));
    }

    /// <summary>A problem as a line, as compilers write them.</summary>
    public string Line(Problem problem)
    {
        string place = problem.Place(_sources) is { } found ? $"{found.File}({found.Line}): " : "";
        return ForeignText.Line($"{place}{(problem.Fails ? "error" : "note")} {ProblemRules.IdOf(problem.Kind)}: {problem.FullMessage}");
    }

    public void Dispose()
    {
        _baseline?.Dispose();
        _sarif?.Dispose();
        _junit?.Dispose();
    }

    private static OutputFile? Open(FileInfo? file) => file is null ? null : OutputFile.Open(file.FullName);

    private static void Write(OutputFile? file, Func<string> write)
    {
        if (file is not null)
        {
            Terminal.Tell(file.Write(write()));
        }
    }
}
