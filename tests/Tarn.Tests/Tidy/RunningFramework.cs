using Microsoft.CodeAnalysis;

namespace Tarn.Tests.Tidy;

/// <summary>The references for code compiled in these tests: the framework that runs them.</summary>
internal static class RunningFramework
{
    /// <summary>The usings of a project with implicit usings.</summary>
    internal const string ImplicitUsings =
        "global using System; global using System.Collections.Generic; global using System.IO; global using System.Linq; "
        + "global using System.Net.Http; global using System.Threading; global using System.Threading.Tasks;";

    /// <summary>The framework's assemblies, without the ones beside the tests.</summary>
    internal static IReadOnlyList<MetadataReference> References { get; } = Find();

    private static MetadataReference[] Find()
    {
        string folder = Path.GetDirectoryName(typeof(object).Assembly.Location)!;
        string[] known = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator);
        return [.. known.Where(path => Path.GetDirectoryName(path) == folder).Select(path => MetadataReference.CreateFromFile(path))];
    }
}
