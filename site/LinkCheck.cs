using System.Net;
using System.Text.RegularExpressions;

namespace Tarn.Site;

/// <summary>Follows each link of the made pages to a file, and to a place in it.</summary>
internal static partial class LinkCheck
{
    internal static IReadOnlyList<string> FindDead(string html)
    {
        Dictionary<string, HashSet<string>> places = [];
        List<string> dead = [];
        foreach (string page in Directory.EnumerateFiles(html, "*.html", SearchOption.AllDirectories).Order(StringComparer.Ordinal))
        {
            foreach (Match link in Target().Matches(File.ReadAllText(page)))
            {
                string target = WebUtility.HtmlDecode(link.Groups["target"].Value);
                if (!IsAlive(page, target, places))
                {
                    dead.Add($"{Path.GetRelativePath(html, page)}: {target}");
                }
            }
        }

        return [.. dead.Distinct()];
    }

    private static bool IsAlive(string page, string target, Dictionary<string, HashSet<string>> places)
    {
        if (target.Contains(':', StringComparison.Ordinal) || target.StartsWith("//", StringComparison.Ordinal))
        {
            return true;
        }

        string[] parts = target.Split('#', 2);
        string path = Uri.UnescapeDataString(parts[0].Split('?')[0]);
        string file = path.Length == 0 ? page : Path.GetFullPath(Path.Combine(Path.GetDirectoryName(page)!, path));
        if (Directory.Exists(file))
        {
            file = Path.Combine(file, "index.html");
        }

        if (!File.Exists(file))
        {
            return false;
        }

        if (parts.Length < 2 || parts[1].Length == 0 || !file.EndsWith(".html", StringComparison.Ordinal))
        {
            return true;
        }

        if (!places.TryGetValue(file, out HashSet<string>? ids))
        {
            ids = [.. Place().Matches(File.ReadAllText(file)).Select(static place => WebUtility.HtmlDecode(place.Groups["id"].Value))];
            places.Add(file, ids);
        }

        return ids.Contains(Uri.UnescapeDataString(parts[1]));
    }

    [GeneratedRegex("(?:href|src)=\"(?<target>[^\"]+)\"")]
    private static partial Regex Target();

    [GeneratedRegex("\\sid=\"(?<id>[^\"]+)\"")]
    private static partial Regex Place();
}
