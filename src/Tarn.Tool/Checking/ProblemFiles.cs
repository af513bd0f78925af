using Tarn.Tool.Analysis;

namespace Tarn.Tool.Checking;

/// <summary>Tells problems: as lines for people, and in files for build servers.</summary>
/// <param name="Sarif">The file for SARIF; null for none.</param>
/// <param name="JUnit">The file for JUnit's XML; null for none.</param>
/// <param name="Sources">Where sources are.</param>
internal sealed record ProblemFiles(FileInfo? Sarif, FileInfo? JUnit, SourceTree Sources)
{
    /// <summary>Writes the files.</summary>
    public void Write(IReadOnlyList<Problem> problems)
    {
        Write(Sarif, () => SarifFile.Write(problems, Sources));
        Write(JUnit, () => JUnitFile.Write(problems, Sources));
    }

    /// <summary>A problem as a line, as compilers write them.</summary>
    public string Line(Problem problem)
    {
        string place = problem.Place(Sources) is { } found ? $"{found.File}({found.Line}): " : "";
        return $"{place}{(problem.Fails ? "error" : "note")} {ProblemRules.IdOf(problem.Kind)}: {problem.FullMessage}";
    }

    private static void Write(FileInfo? file, Func<string> write)
    {
        if (file is not null)
        {
            File.WriteAllText(file.FullName, write());
            Console.Error.WriteLine(file.FullName);
        }
    }
}
