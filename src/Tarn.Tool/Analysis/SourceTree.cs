using Tarn.Traces;

namespace Tarn.Tool.Analysis;

/// <summary>
/// Finds source files on this machine. Packages and the platform are compiled from sources that nobody else has, under paths such as
/// <c>/_/src/</c>; so are programs of build servers, whose checkout has the rest of the path.
/// </summary>
internal sealed class SourceTree(string folder)
{
    private readonly Dictionary<string, string?> _known = [];

    /// <summary>The folder that paths are relative to.</summary>
    public string Folder => folder;

    /// <summary>The path of a frame's source file on this machine; null if it is not there.</summary>
    public string? Find(StackFrame frame)
    {
        if (frame.Line == 0 || frame.File.Length == 0)
        {
            return null;
        }

        if (!_known.TryGetValue(frame.File, out string? path))
        {
            _known.Add(frame.File, path = Find(frame.File));
        }

        return path;
    }

    private string? Find(string file)
    {
        if (!file.StartsWith("/_", StringComparison.Ordinal))
        {
            return Path.IsPathRooted(file) && File.Exists(file) ? file : null;
        }

        // The paths of several repositories are numbered: /_/, /_1/, …
        int end = file.IndexOf('/', 1);
        string inside = end < 0 ? "" : file[(end + 1)..];
        for (string? at = folder; at is not null && inside.Length > 0; at = Path.GetDirectoryName(at))
        {
            if (File.Exists(Path.Combine(at, inside)))
            {
                return Path.Combine(at, inside);
            }
        }

        return null;
    }
}
