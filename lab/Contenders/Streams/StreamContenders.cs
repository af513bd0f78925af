namespace Tarn.Lab.Contenders.Streams;

/// <summary>Ours as one gets it, then every peer of this build.</summary>
internal static class StreamContenders
{
    /// <summary>Their names when nothing is known and nothing zeroed.</summary>
    public static IReadOnlyList<string> Names { get; } = [StreamNames.Tarn, .. StreamPeers.Names];

    /// <param name="isSizeKnown">They are told the size; their names say so.</param>
    /// <param name="zeroed">Those that can clear their memory do, before it goes back.</param>
    public static IReadOnlyList<StreamContender> Create(bool isSizeKnown = false, bool zeroed = false) =>
        [CreateOurs(isSizeKnown, zeroed), .. StreamPeers.Create(isSizeKnown, zeroed)];

    private static StreamContender CreateOurs(bool isSizeKnown, bool zeroed)
    {
        var zeroing = new PooledMemoryStreamOptions { Zeroing = StreamZeroing.OnRelease };
        string name = isSizeKnown ? StreamNames.Sized(StreamNames.Tarn) : StreamNames.Tarn;
        return (isSizeKnown, zeroed) switch
        {
            (false, false) => StreamContender.Of(name, default(TarnStream)),
            (true, false) => StreamContender.Of(name, default(TarnSizedStream)),
            (false, true) => StreamContender.Of(name, new TarnStreamWith(zeroing)),
            (true, true) => StreamContender.Of(name, new TarnSizedStreamWith(zeroing)),
        };
    }
}
