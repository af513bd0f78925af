using System.Runtime.InteropServices;
using System.Text.RegularExpressions;

namespace Tarn.Lab.Contenders;

/// <summary>The report's names of the native allocators.</summary>
internal static partial class NativeNames
{
    public const string TarnHeap = "NativeHeap.Shared";
    public const string TarnHeapInstance = "NativeHeap instance";
    public const string TarnNoStatistics = "NativeHeap without statistics";
    public const string TarnPressure = "NativeHeap + pressure";
    public const string TarnUnsized = "NativeHeap, freed by address";
    public const string TarnBounded = "NativeHeap, addresses compared";
    public const string TarnConstant = "NativeHeap.Allocate<T>";
    public const string TarnScope = "NativeScope";

    public const string NewArray = "new byte[]";
    public const string NativeMemory = "NativeMemory";
    public const string Mimalloc = "mimalloc";
    public const string Jemalloc = "jemalloc";
    public const string Tcmalloc = "tcmalloc";
    public const string Snmalloc = "snmalloc";
    public const string GoogleTcmalloc = "Google's tcmalloc";
    public const string Flowtide = "FlowtideDotNet.MiMalloc";

    /// <summary>For the ids of comparisons, the same on every system: <c>malloc</c> whatever the C library is called.</summary>
    public static string Id(string name) => name == CLibrary ? "malloc" : NotForIds().Replace(name.ToLowerInvariant(), "-").Trim('-');

    /// <summary>The C library's own, by its name where it has one.</summary>
    public static string CLibrary { get; } =
        OperatingSystem.IsLinux() && !RuntimeInformation.RuntimeIdentifier.Contains("musl", StringComparison.Ordinal)
            ? "glibc malloc"
            : "C library malloc";

    [GeneratedRegex("[^a-z0-9]+")]
    private static partial Regex NotForIds();
}
