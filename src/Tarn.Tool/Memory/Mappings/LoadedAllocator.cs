namespace Tarn.Tool.Memory.Mappings;

/// <summary>Tells the allocator that a process loaded in place of the C library's.</summary>
internal static class LoadedAllocator
{
    private static readonly (string Library, string Name)[] s_all =
        [("libjemalloc", "jemalloc"), ("libmimalloc", "mimalloc"), ("libtcmalloc", "tcmalloc"), ("libsnmalloc", "snmalloc")];

    /// <summary>Its name; null if it is none that is known.</summary>
    public static string? Of(IReadOnlyList<Mapping> mappings) => s_all
        .Where(one => mappings.Any(mapping => Path.GetFileName(mapping.Name).StartsWith(one.Library, StringComparison.Ordinal)))
        .Select(one => one.Name).FirstOrDefault();
}
