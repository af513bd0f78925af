namespace Tarn.Lab.Contenders.Native;

/// <summary>The native allocators that can serve any work.</summary>
internal static class NativeContenders
{
    /// <summary><c>NativeMemory</c>, then every peer that this system has, in the order of tables.</summary>
    public static IReadOnlyList<NativeContender> Peers { get; } = [.. FindPeers()];

    /// <summary>Ours as programs use it first, then the peers.</summary>
    public static IReadOnlyList<NativeContender> All { get; } = [NativeContender.Of(NativeNames.TarnHeap, default(TarnHeap)), .. Peers];

    /// <summary>Finds a contender by the name on a process's command line.</summary>
    /// <exception cref="InvalidDataException">There is no such contender.</exception>
    public static NativeContender Find(string name) =>
        All.FirstOrDefault(contender => contender.Name == name)
        ?? throw new InvalidDataException($"There is no native allocator named {name}. Use one of: "
            + $"{string.Join(", ", All.Select(contender => contender.Name))}.");

    private static IEnumerable<NativeContender> FindPeers()
    {
        yield return NativeContender.Of(NativeNames.NativeMemory, default(NativeMemoryAllocator));
        if (NativePeers.CLibrary.IsPresent)
        {
            yield return NativeContender.Of(NativeNames.CLibrary, default(GlibcMalloc));
        }

        if (NativePeers.Mimalloc.IsPresent)
        {
            yield return NativeContender.Of(NativeNames.Mimalloc, default(Mimalloc));
        }

        if (NativePeers.Jemalloc.IsPresent)
        {
            yield return NativeContender.Of(NativeNames.Jemalloc, default(Jemalloc));
        }

        if (NativePeers.Tcmalloc.IsPresent)
        {
            yield return NativeContender.Of(NativeNames.Tcmalloc, default(SizedFreeAllocator<Tcmalloc>));
        }

        if (NativePeers.Snmalloc.IsPresent)
        {
            yield return NativeContender.Of(NativeNames.Snmalloc, default(SizedFreeAllocator<Snmalloc>));
        }

        if (NativePeers.GoogleTcmalloc.IsPresent)
        {
            yield return NativeContender.Of(NativeNames.GoogleTcmalloc, default(SizedFreeAllocator<GoogleTcmalloc>));
        }

#if FLOWTIDE
        yield return NativeContender.Of(NativeNames.Flowtide, default(FlowtideMimalloc));
#endif
    }

    /// <summary>Whether this build has the mimalloc written in C#.</summary>
    public static bool HasFlowtide =>
#if FLOWTIDE
        true;
#else
        false;
#endif
}
