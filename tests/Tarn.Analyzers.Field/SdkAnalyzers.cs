using System.Reflection;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace Tarn.Analyzers.Field;

/// <summary>The analyzers that the newest SDK beside the running framework turns on for each project.</summary>
internal static class SdkAnalyzers
{
    private static readonly string[] s_files =
        ["Microsoft.CodeAnalysis.NetAnalyzers.dll", "Microsoft.CodeAnalysis.CSharp.NetAnalyzers.dll"];

    private static readonly Lazy<DirectoryInfo> s_sdk = new(FindSdk);

    internal static string Version => s_sdk.Value.Name;

    /// <summary>New instances: an analyzer may keep what it learned about a compilation.</summary>
    internal static IReadOnlyList<DiagnosticAnalyzer> Create()
    {
        string folder = Path.Combine(s_sdk.Value.FullName, "Sdks", "Microsoft.NET.Sdk", "analyzers");
        Loader loader = new();
        return
        [
            .. s_files.SelectMany(
                file => new AnalyzerFileReference(Path.Combine(folder, file), loader).GetAnalyzers(LanguageNames.CSharp)),
        ];
    }

    private static DirectoryInfo FindSdk()
    {
        // dotnet/shared/Microsoft.NETCore.App/10.0.0/System.Private.CoreLib.dll
        string framework = Path.GetDirectoryName(typeof(object).Assembly.Location)!;
        DirectoryInfo sdks = new(Path.GetFullPath(Path.Combine(framework, "..", "..", "..", "sdk")));
        return sdks.EnumerateDirectories().Where(static one => System.Version.TryParse(one.Name, out _))
            .MaxBy(static one => System.Version.Parse(one.Name))
            ?? throw new InvalidOperationException($"There is no SDK in {sdks.FullName}.");
    }

    private sealed class Loader : IAnalyzerAssemblyLoader
    {
        public void AddDependencyLocation(string fullPath)
        {
        }

        public Assembly LoadFromPath(string fullPath) => Assembly.LoadFrom(fullPath);
    }
}
