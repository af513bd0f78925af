namespace Tarn.Lab.Claims;

/// <summary>The documents that state figures: README.md and everything under docs/.</summary>
internal static class ClaimDocuments
{
    /// <summary>Returns the folder above the current one that contains the solution.</summary>
    /// <exception cref="DirectoryNotFoundException">There is none.</exception>
    public static string FindRepositoryRoot() => TryFindRepositoryRoot()
        ?? throw new DirectoryNotFoundException("Run this inside the repository: no folder above the current one holds Tarn.slnx.");

    /// <summary>Returns the folder above the current one that contains the solution, or null.</summary>
    public static string? TryFindRepositoryRoot()
    {
        DirectoryInfo? directory = new(Environment.CurrentDirectory);
        while (directory is not null && !File.Exists(Path.Combine(directory.FullName, "Tarn.slnx")))
        {
            directory = directory.Parent;
        }

        return directory?.FullName;
    }

    /// <summary>Compares every document with the committed claims; with <paramref name="write"/>, corrects it.</summary>
    /// <returns>The differences, each with its file. Differences that writing cannot correct remain problems.</returns>
    public static IReadOnlyList<string> Reconcile(string repositoryRoot, bool write)
    {
        IReadOnlyList<RecordedRun> runs = RecordedRun.ReadAll(repositoryRoot);
        Dictionary<string, string> figures = new(RecordedRun.VersionsOf(runs))
        {
            [MissedClaims.Id] = MissedClaims.Table(repositoryRoot, ClaimList.All),
            [AblationTable.Id] = AblationTable.Write(AblationRecord.ReadCommitted(repositoryRoot)),
            [ScaleTable.Id] = ScaleTable.Read(repositoryRoot),
        };
        foreach (ClaimResult claim in ClaimFile.ReadCommitted(repositoryRoot))
        {
            figures.Add(claim.Id, claim.Figure);
        }

        var problems = new List<string>(runs.SelectMany(run => run.Stale.Select(stale => $"{run.Folder}: {stale}")));
        foreach (string path in FindDocuments(repositoryRoot))
        {
            string text = File.ReadAllText(path);
            FilledText filled = ClaimMarkers.Fill(text, figures);
            if (write && filled.Text != text)
            {
                File.WriteAllText(path, filled.Text);
                filled = ClaimMarkers.Fill(filled.Text, figures);
            }

            problems.AddRange(filled.Problems.Select(problem => $"{Path.GetRelativePath(repositoryRoot, path)}: {problem}"));
        }

        return problems;
    }

    private static IEnumerable<string> FindDocuments(string repositoryRoot)
    {
        string readme = Path.Combine(repositoryRoot, "README.md");
        if (File.Exists(readme))
        {
            yield return readme;
        }

        string docs = Path.Combine(repositoryRoot, "docs");
        if (!Directory.Exists(docs))
        {
            yield break;
        }

        foreach (string path in Directory.EnumerateFiles(docs, "*.md", SearchOption.AllDirectories).Order(StringComparer.Ordinal))
        {
            yield return path;
        }
    }
}
