namespace Tarn.Lab.Contenders.Streams;

/// <summary>Our stream with default options, then every peer of this build.</summary>
internal static class StreamContenders
{
    /// <summary>Their names when no size is known and nothing is zeroed.</summary>
    public static IReadOnlyList<string> Names { get; } = [StreamNames.Tarn, .. StreamPeers.Names];

    /// <param name="isSizeKnown">Whether they receive the size, which their names then state.</param>
    /// <param name="zeroed">Whether those that can clear their memory do so before it goes back.</param>
    public static IReadOnlyList<StreamContender> Create(bool isSizeKnown = false, bool zeroed = false) =>
        [CreateOurs(isSizeKnown, zeroed), .. StreamPeers.Create(isSizeKnown, zeroed)];

    private static StreamContender CreateOurs(bool isSizeKnown, bool zeroed)
    {
        var zeroing = new PooledMemoryStreamOptions { Clearing = StreamClearing.OnReturn };
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
