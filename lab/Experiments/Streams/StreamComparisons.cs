using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Streams;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;

namespace Tarn.Lab.Experiments.Streams;

/// <summary>Our stream against the peers and against two bare copies, with the project's targets.</summary>
internal static class StreamComparisons
{
    private const string Group = "Streams";
    private const double ParallelTarget = 1.0;
    private const double MiddleTarget = 0.85;
    private const double SingleByteTarget = 1.0;
    private const double NativeTarget = 1.0;
    private const double LargeTarget = 0.95;
    private const double LargePiecesTarget = 1.0;
    private const int LeastLarge = 16 << 20;

    public static IEnumerable<Comparison> Of(StreamSamples samples) =>
        samples.Sizes.Zip(samples.Samples).SelectMany(at => Of(samples.Series, at.First, at.Second));

    /// <summary>Returns the largest ratio allowed against each peer. A ratio against the best peer holds against all.</summary>
    public static double? TargetOf(StreamSeries series, int size) => size switch
    {
        256 or 1 << 10 when series.IsWhole => 1.0,
        4 << 10 when series.IsWhole => 0.5,
        16 << 10 when series.IsCopied && !series.IsWhole => 0.5,
        128 << 10 when series.IsCopied => MiddleTarget,
        960 << 10 when series.IsCopied => 0.92,
        >= LeastLarge when series.IsCopied => series.IsWhole ? LargeTarget : LargePiecesTarget,
        _ when series.IsSingleBytes => SingleByteTarget,
        _ => null,
    };

    /// <summary>Returns the same for streams that receive their size, against peers that do.</summary>
    public static double? SizedTargetOf(StreamSeries series, int size) => size == 128 << 10 && series.IsCopied ? MiddleTarget : null;

    /// <summary>Returns the same for streams over native memory, against the BCL's.</summary>
    public static double? NativeTargetOf(StreamSeries series, int size) => size <= 4 << 10 && series.IsWhole ? NativeTarget : null;

    private static IEnumerable<Comparison> Of(StreamSeries series, int size, RoundSamples samples)
    {
        string id = $"streams-{series.Id}-{ByteSize.Id(size)}";
        string title = series.TitleOf(size);
        string sized = StreamNames.Sized(StreamNames.Tarn);
        return
        [
            .. Against(samples, StreamNames.Tarn, StreamPeers.Names, id, title, TargetOf(series, size)),
            .. Against(samples, sized, StreamPeers.Names.Select(StreamNames.Sized), id, title, SizedTargetOf(series, size)),
            .. Against(
                samples, StreamNames.TarnNative, [StreamNames.Bcl], id + "-native", title + ", native", NativeTargetOf(series, size)),
            .. size >= LeastLarge ? AgainstTwoCopies(samples, id, title) : [],
        ];
    }

    /// <summary>Two copies by the runtime are no floor: copies in pieces, and stores past the caches, take less time.</summary>
    private static IEnumerable<Comparison> AgainstTwoCopies(RoundSamples samples, string id, string title) =>
    [
        .. Against(samples, StreamNames.Tarn, [StreamNames.TwoCopies], id, title, target: null),
        .. Against(
            samples, StreamNames.Sized(StreamNames.Tarn), [StreamNames.TwoCopies], id + "-sized", title + ", size known", target: null),
        .. Against(
            samples, StreamNames.TarnParallel, [StreamNames.TwoCopies], id + "-parallel", title + ", parallel copy",
            Environment.ProcessorCount > 1 ? ParallelTarget : null),
    ];

    private static IEnumerable<Comparison> Against(
        RoundSamples samples, string ours, IEnumerable<string> peers, string id, string title, double? target) =>
        samples.IndexOf(ours) >= 0 ? samples.CompareWith(ours, peers, id, Group, title, _ => target) : [];
}
