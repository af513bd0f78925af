using Tarn.Lab.Statistics;

namespace Tarn.Lab.Measurement;

/// <summary>Nanoseconds an operation: one list for each contender, one value for each round.</summary>
internal sealed class RoundSamples(double[][] byContender)
{
    public int Rounds => byContender[0].Length;

    public double Median(int contender) => MedianInterval.Of(byContender[contender]).Median;

    /// <summary>Ours ÷ peer round by round, then the median of those and its interval.</summary>
    public MedianInterval Ratio(int ours, int peer)
    {
        var ratios = new double[Rounds];
        for (int round = 0; round < ratios.Length; round++)
            ratios[round] = byContender[ours][round] / byContender[peer][round];

        return MedianInterval.Of(ratios);
    }
}
