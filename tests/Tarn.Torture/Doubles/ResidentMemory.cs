using System.Globalization;
using System.Runtime.InteropServices;

namespace Tarn.Torture.Doubles;

/// <summary>The memory the process really occupies, as the system counts it.</summary>
internal static class ResidentMemory
{
    private const string Counters = "/proc/self/statm";

    /// <summary>A word for each OS page of the address space.</summary>
    private const string Pages = "/proc/self/pagemap";

    /// <summary>Of that word: the OS page lies in memory, or in swap.</summary>
    private const ulong IsThere = 3UL << 62;

    /// <summary>Whether the system reports resident memory; elsewhere tests that depend on it do not run.</summary>
    internal static bool IsKnown => File.Exists(Counters);

    /// <summary>Bytes resident now. Asking costs a few kilobytes itself.</summary>
    internal static long Bytes =>
        long.Parse(File.ReadAllText(Counters).Split(' ')[1], CultureInfo.InvariantCulture) * Environment.SystemPageSize;

    /// <summary>The resident bytes of these ranges alone, whatever the runtime takes or returns at the same time.</summary>
    internal static long Within(IEnumerable<(nint Address, nuint Size)> ranges)
    {
        using FileStream pages = new(Pages, FileMode.Open, FileAccess.Read, FileShare.ReadWrite, bufferSize: 0);
        return ranges.Sum(range => CountPages(pages, range.Address, range.Size)) * Environment.SystemPageSize;
    }

    private static long CountPages(FileStream pages, nint address, nuint size)
    {
        ulong[] words = new ulong[(int)(size / (nuint)Environment.SystemPageSize)];
        pages.Position = address / Environment.SystemPageSize * sizeof(ulong);
        pages.ReadExactly(MemoryMarshal.AsBytes(words.AsSpan()));
        return words.Count(static word => (word & IsThere) != 0);
    }
}
