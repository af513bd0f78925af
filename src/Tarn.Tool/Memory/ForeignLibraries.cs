using Tarn.Tool.Memory.Mappings;

namespace Tarn.Tool.Memory;

/// <summary>Finds the native libraries of a process that neither the system nor .NET brought: those that may allocate most.</summary>
internal static class ForeignLibraries
{
    private static readonly string[] s_system = ["/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/"];
    private static readonly string[] s_runtime = ["libcoreclr", "libclr", "libhost", "libSystem.", "libmscordac", "libmscordbi"];

    /// <summary>Their names, in the order of their addresses. OpenSSL and ICU are the system's, but allocate for .NET.</summary>
    public static IEnumerable<string> Of(IReadOnlyList<Mapping> mappings) => mappings
        .Where(one => one.IsCode && one.Name.Contains(".so", StringComparison.Ordinal))
        .Where(one => !one.Name.StartsWith("/memfd:", StringComparison.Ordinal))
        .Select(one => one.Name)
        .Where(path => !s_runtime.Any(name => Path.GetFileName(path).StartsWith(name, StringComparison.Ordinal)))
        .Where(path => !s_system.Any(folder => path.StartsWith(folder, StringComparison.Ordinal)) || IsKnownToAllocate(path))
        .Select(path => Path.GetFileName(path))
        .Distinct();

    private static bool IsKnownToAllocate(string path) => Path.GetFileName(path) is var name
        && (name.StartsWith("libssl", StringComparison.Ordinal) || name.StartsWith("libcrypto", StringComparison.Ordinal)
            || name.StartsWith("libicu", StringComparison.Ordinal));
}
