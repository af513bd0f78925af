using System.Text.RegularExpressions;

namespace Tarn.Analyzers.Tests.Fixes;

/// <summary>
/// Every example of a fix, and those for which none is offered, as the files of one project. Each has a namespace of its own.
/// </summary>
internal static partial class EveryExample
{
    private static readonly string s_folder = Path.Combine(AppContext.BaseDirectory, "Fixes", "Cases");

    /// <summary>The names of all examples, which begin with the rule.</summary>
    internal static IEnumerable<string> Names =>
        Directory.GetFiles(s_folder).Select(static path => Path.GetFileName(path)).Order(StringComparer.Ordinal);

    internal static string Read(string name) => File.ReadAllText(Path.Combine(s_folder, name));

    /// <summary>Returns whether an example shows that no fix is offered.</summary>
    internal static bool IsRefused(string name) => name.Contains(".none.", StringComparison.Ordinal);

    /// <summary>An example before its fix, and after it.</summary>
    internal static string[] Parts(string name) => SeparatorPattern().Split(Read(name));

    /// <summary>The files, by their names.</summary>
    internal static IEnumerable<(string Name, string Source)> Files =>
        from name in Names
        let source = Parts(name)[0]
        let space = Regex.Replace(Path.GetFileNameWithoutExtension(name), "[^A-Za-z0-9]", "_")
        select (Path.ChangeExtension(name, ".cs"), FirstTypePattern().Replace(source, $"\nnamespace {space};\n\n", 1));

    [GeneratedRegex(@"^-{8,}\n", RegexOptions.Multiline)]
    private static partial Regex SeparatorPattern();

    /// <summary>The empty line between the imports and the first type.</summary>
    [GeneratedRegex(@"\n(?=(#nullable|internal|public|\[|///|//)[^\n]*)")]
    private static partial Regex FirstTypePattern();
}
