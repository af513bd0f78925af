namespace Tarn.Analyzers.Field;

/// <summary>Public repositories: their sources at a commit, in a folder. A repository is fetched unless there is a mirror of it.</summary>
internal sealed class Repositories(string folder, string? mirrors)
{
    private static readonly string[] s_extensions = [".cs", ".csproj", ".props", ".targets", ".projitems"];

    /// <summary>The sources at a commit and at its parent, as they were before it.</summary>
    internal (SourceTree Before, SourceTree After) GetSources(string repository, string commit)
    {
        Git git = Open(repository, commit);
        return (Extract(git, repository, commit + "^"), Extract(git, repository, commit));
    }

    private SourceTree Extract(Git git, string repository, string revision)
    {
        string commit = git.Resolve(revision) ?? throw new InvalidOperationException($"{repository} has no commit {revision}.");
        string root = Path.Combine(folder, $"{NameOf(repository)}@{commit[..10]}");
        if (!Directory.Exists(root))
        {
            // The folder has its name only when it is complete.
            string partial = root + ".partial";
            if (Directory.Exists(partial))
            {
                Directory.Delete(partial, recursive: true);
            }

            Directory.CreateDirectory(partial);
            git.Extract(commit, partial, s_extensions);
            Directory.Move(partial, root);
        }

        return new SourceTree(root);
    }

    private Git Open(string repository, string commit)
    {
        if (mirrors is not null)
        {
            string mirror = Path.Combine(mirrors, NameOf(repository));
            string inside = Path.Combine(mirror, "repo");
            return new Git(Directory.Exists(inside) ? inside : mirror);
        }

        Git git = new(Path.Combine(folder, NameOf(repository) + ".git"));
        if (git.Resolve(commit + "^") is null)
        {
            git.Fetch($"https://github.com/{repository}.git", commit);
        }

        return git;
    }

    private static string NameOf(string repository) => repository.Replace('/', '+');
}
