using System.Collections.Concurrent;

namespace Tarn.Diagnostics;

/// <summary>The tags of streams as metrics report them: a bounded number by name, the others together.</summary>
/// <remarks>
/// A collector keeps a series for each value of a tag, as long as the process runs. So the first <see cref="Most"/> tags are reported by
/// name, and every later one as <see cref="Other"/>. All members are safe to call from any thread.
/// </remarks>
internal sealed class StreamTags
{
    internal const int Most = 64;
    internal const string Other = "other";

    private readonly ConcurrentDictionary<string, string> _names = new(StringComparer.Ordinal);
    private readonly Lock _lock = new();

    /// <summary>Returns the name under which a tag is reported.</summary>
    internal string NameOf(string tag)
    {
        if (_names.TryGetValue(tag, out string? name))
        {
            return name;
        }

        using (_lock.Hold())
        {
            return _names.Count < Most ? _names.GetOrAdd(tag, tag) : _names.GetValueOrDefault(tag, Other);
        }
    }
}
