namespace Tarn.Lab.Contenders.Native;

/// <summary>The allocators written in C, and which of them this system has.</summary>
internal static class NativePeers
{
    public static NativePeer CLibrary { get; } = new(
        NativeNames.CLibrary, "", "libc.so.6", "libSystem.B.dylib", "ucrtbase.dll", "libc.musl-x86_64.so.1", "libc");

    public static NativePeer Mimalloc { get; } = new(
        NativeNames.Mimalloc, "libmimalloc2.0", "libmimalloc.so.3", "libmimalloc.so.2", "libmimalloc.so", "libmimalloc.dylib",
        "mimalloc.dll");

    public static NativePeer Jemalloc { get; } = new(
        NativeNames.Jemalloc, "libjemalloc2", "libjemalloc.so.2", "libjemalloc.so", "libjemalloc.2.dylib", "libjemalloc.dylib",
        "jemalloc.dll");

    public static NativePeer Tcmalloc { get; } = new(
        NativeNames.Tcmalloc,
        "libtcmalloc-minimal4",
        "libtcmalloc_minimal.so.4", "libtcmalloc_minimal.so", "libtcmalloc_minimal.4.dylib", "libtcmalloc_minimal.dylib",
        "libtcmalloc_minimal.dll");

    public static NativePeer Snmalloc { get; } = new(NativeNames.Snmalloc, "", "libsnmallocshim.so", "libsnmallocshim.dylib");

    public static NativePeer GoogleTcmalloc { get; } = new(NativeNames.GoogleTcmalloc, "", "libgoogle_tcmalloc.so");

    /// <summary>Those that systems have in packages.</summary>
    public static IReadOnlyList<NativePeer> Packaged { get; } = [CLibrary, Mimalloc, Jemalloc, Tcmalloc];

    /// <summary>With those that one has to build.</summary>
    public static IReadOnlyList<NativePeer> All { get; } = [.. Packaged, Snmalloc, GoogleTcmalloc];

    /// <summary>
    /// A sentence for the report that names the unmeasured peers with a package, and how to install them; empty if none is missing.
    /// </summary>
    public static string DescribeMissing() => DescribeMissing(Packaged);

    internal static string DescribeMissing(IEnumerable<NativePeer> peers)
    {
        NativePeer[] missing = [.. peers.Where(peer => !peer.IsPresent)];
        if (missing.Length == 0)
        {
            return "";
        }

        string install = string.Join(' ', missing.Select(peer => peer.Package).Where(package => package.Length > 0));
        return $" Not on this system, so not measured: {string.Join(", ", missing.Select(peer => peer.Name))}"
            + (install.Length > 0 ? $"; on Debian and Ubuntu: apt install {install}." : ".");
    }
}
