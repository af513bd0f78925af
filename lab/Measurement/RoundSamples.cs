using Tarn.Lab.Contenders;
using Tarn.Lab.Model;

namespace Tarn.Lab.Measurement;

/// <summary>Nanoseconds an operation, or bytes: one list for each contender, one value for each round.</summary>
internal sealed class RoundSamples(IReadOnlyList<string> contenders, double[][] byContender)
{
    public IReadOnlyList<string> Contenders { get; } = contenders;

    public int Rounds => byContender[0].Length;

    private double[][] Samples => byContender;

    /// <summary>The rounds of several measurements of the same contenders.</summary>
    public static RoundSamples Join(IReadOnlyList<RoundSamples> parts) =>
        new(parts[0].Contenders, [.. parts[0].Contenders.Select(
            (_, contender) => parts.SelectMany(part => part.Samples[contender]).ToArray())]);

    public double Median(int contender) => MedianInterval.Of(byContender[contender]).Median;

    /// <summary>Returns the median of ours ÷ peer over the rounds, and its interval.</summary>
    public MedianInterval Ratio(int ours, int peer)
    {
        var ratios = new double[Rounds];
        for (int round = 0; round < ratios.Length; round++)
        {
            ratios[round] = byContender[ours][round] / byContender[peer][round];
        }

        return MedianInterval.Of(ratios);
    }

    /// <summary>The contender with the lowest median among those given.</summary>
    public int Fastest(params ReadOnlySpan<int> candidates)
    {
        int fastest = candidates[0];
        foreach (int candidate in candidates)
        {
            if (Median(candidate) < Median(fastest))
            {
                fastest = candidate;
            }
        }

        return fastest;
    }

    /// <summary>Returns the index of a contender; -1 if it was not measured, such as a peer that this system lacks.</summary>
    public int IndexOf(string contender) => Contenders.ToList().IndexOf(contender);

    /// <summary>Compares one of ours with each measured peer. Ids end with the peer's id, which is the same on every system.</summary>
    public IEnumerable<Comparison> CompareWith(
        string ours, IEnumerable<string> peers, string id, string group, string title, Func<string, double?> target) =>
        peers.Where(peer => IndexOf(peer) >= 0).Select(peer =>
            Compare(IndexOf(ours), IndexOf(peer), $"{id}-{NativeNames.Id(peer)}", group, $"{title}, against {peer}", target(peer)));

    public Comparison Compare(int ours, int peer, string id, string group, string title, double? target = null, string unit = "ns")
    {
        MedianInterval ratio = Ratio(ours, peer);
        return new Comparison
        {
            Id = id,
            Group = group,
            Title = title,
            Ours = Contenders[ours],
            Peer = Contenders[peer],
            OursValue = Median(ours),
            PeerValue = Median(peer),
            Unit = unit,
            Ratio = ratio.Median,
            RatioLow = ratio.Low,
            RatioHigh = ratio.High,
            Rounds = Rounds,
            Target = target,
        };
    }
}
