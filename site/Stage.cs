using System.Text;
using System.Text.RegularExpressions;

namespace Tarn.Site;

/// <summary>
/// Copies the repository's pages to a folder whose links all lead to something: to pages, to copies of pictures and data, and to pages that
/// show the source files which pages name.
/// </summary>
internal sealed partial class Stage
{
    private const string AssistantIndex = "llms.txt";

    private static readonly string[] s_copied = [".csv", ".json", ".png", ".svg", ".txt"];

    private readonly string _root;
    private readonly string _to;
    private readonly IReadOnlyList<string> _pages;
    private readonly HashSet<string> _written = [];

    private Stage(string root, string to)
    {
        _root = root;
        _to = to;
        _pages = Repository.FindPages(root);
    }

    internal static void Write(string root, string to)
    {
        Stage stage = new(root, to);
        stage.Put(AssistantIndex, stage.WithHtmlLinks(AssistantIndex));
        foreach (string page in stage._pages)
        {
            stage.Put(Staged(page), Reports.Link(root, page, stage.WithLinks(page)));
        }

        stage.Copy("src/icon.svg");
        stage.Copy("src/icon.png");
        foreach ((string path, string text) in Contents.Of(root, stage._pages))
        {
            stage.Put(path, text);
        }
    }

    /// <summary>A README is its folder's front page.</summary>
    private static string Staged(string page) =>
        Path.GetFileName(page) == "README.md" ? page[..^"README.md".Length] + "index.md" : page;

    /// <summary>Not line by line: the text of a link may continue on the next one.</summary>
    private string WithLinks(string page)
    {
        StringBuilder text = new();
        StringBuilder prose = new();
        bool isCode = false;
        foreach (string line in Badges().Replace(File.ReadAllText(Path.Combine(_root, page)), "").Split('\n'))
        {
            isCode ^= line.TrimStart().StartsWith("```", StringComparison.Ordinal);
            if (isCode)
            {
                EndProse();
            }

            (isCode ? text : prose).Append(line).Append('\n');
        }

        EndProse();
        return text.ToString();

        void EndProse()
        {
            text.Append(Link().Replace(prose.ToString(), link => Rewrite(page, link)));
            prose.Clear();
        }
    }

    /// <summary>A text that stays as it is, so that its links lead to the made pages.</summary>
    private string WithHtmlLinks(string path) =>
        Link().Replace(File.ReadAllText(Path.Combine(_root, path)), link => PageEnd().Replace(Rewrite(path, link), ".html"));

    private string Rewrite(string page, Match link)
    {
        string target = link.Groups["target"].Value;
        string anchor = link.Groups["anchor"].Value;
        if (target.Length == 0 || target.Contains(':', StringComparison.Ordinal))
        {
            return link.Value;
        }

        string folder = Path.GetDirectoryName(page)!.Replace('\\', '/');
        string path = Path.GetRelativePath(_root, Path.Combine(_root, folder, target)).Replace('\\', '/');
        string? leadsTo = Find(path);
        if (leadsTo is null)
        {
            return link.Groups["text"].Value;
        }

        string relative = Path.GetRelativePath(folder.Length > 0 ? folder : ".", leadsTo).Replace('\\', '/');
        return $"{link.Groups["before"].Value}({relative}{anchor})";
    }

    /// <summary>The staged path that stands for a path of the repository; null if the site has nothing for it.</summary>
    private string? Find(string path)
    {
        if (_pages.Contains(path))
        {
            return Staged(path);
        }

        string full = Path.Combine(_root, path);
        if (Directory.Exists(full))
        {
            string folder = path.TrimEnd('/');
            return _pages.Contains(folder + "/README.md") || Contents.Lists(folder, _pages) ? folder + "/index.md" : null;
        }

        if (!File.Exists(full))
        {
            // docfx reports it.
            return path;
        }

        return s_copied.Contains(Path.GetExtension(path)) ? Copy(path) : Show(path);
    }

    private string Copy(string path)
    {
        if (_written.Add(path))
        {
            string to = Path.Combine(_to, path);
            Directory.CreateDirectory(Path.GetDirectoryName(to)!);
            File.Copy(Path.Combine(_root, path), to);
        }

        return path;
    }

    /// <summary>A page with a source file, which the search leaves out.</summary>
    private string Show(string path)
    {
        string page = path + ".md";
        string language = Path.GetExtension(path) == ".cs" ? "csharp" : "text";
        string source = File.ReadAllText(Path.Combine(_root, path));
        Put(page, $"---\n_noindex: true\nsearchOption: noindex\n---\n# {path}\n\n````{language}\n{source}\n````\n");
        return page;
    }

    private void Put(string path, string text)
    {
        if (_written.Add(path))
        {
            string to = Path.Combine(_to, path);
            Directory.CreateDirectory(Path.GetDirectoryName(to)!);
            File.WriteAllText(to, text);
        }
    }

    [GeneratedRegex(@"\.md(?=[#)])")]
    private static partial Regex PageEnd();

    /// <summary>The badges of the README, whose links lead to the page of the repository that shows it.</summary>
    [GeneratedRegex(@"<!--badges-->.*?<!--/badges-->\s*", RegexOptions.Singleline)]
    private static partial Regex Badges();

    [GeneratedRegex("""(?<before>!?\[(?<text>(?:[^\[\]]|\[[^\]]*\])*)\])\((?<target>[^)\s#]*)(?<anchor>#[^)\s]*)?\)""")]
    private static partial Regex Link();
}
