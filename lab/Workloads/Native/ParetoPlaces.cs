namespace Tarn.Lab.Workloads.Native;

/// <summary>
/// Places of alloc-test: the rule that a fifth of the places gets four fifths of the use, applied six times over. The places lie in seven
/// groups; the smallest, six of a hundred thousand places, is used in a quarter of all cases.
/// </summary>
internal sealed class ParetoPlaces
{
    // The terms of (0.8 + 0.2)⁶: how often a group is used, and backwards how many of the places it has.
    private static readonly double[] s_shares = [0.262144, 0.393216, 0.24576, 0.08192, 0.01536, 0.001536, 0.000064];

    private readonly uint[] _upTo = new uint[s_shares.Length - 1];
    private readonly int[] _starts = new int[s_shares.Length];
    private readonly int[] _counts = new int[s_shares.Length];

    /// <param name="places">At least one for each of the seven groups.</param>
    public ParetoPlaces(int places)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(places, s_shares.Length);

        double used = 0;
        int start = 0;
        for (int group = 0; group < s_shares.Length; group++)
        {
            used += s_shares[group];
            if (group < _upTo.Length)
            {
                _upTo[group] = (uint)(uint.MaxValue * used);
            }

            int share = Math.Max(1, (int)(places * s_shares[^(group + 1)]));
            _starts[group] = start;
            _counts[group] = group == _upTo.Length ? places - start : share;
            start += share;
        }
    }

    /// <summary>A place from 0, made of two random values.</summary>
    public int Choose(uint forGroup, uint forPlace)
    {
        int group = 0;
        while (group < _upTo.Length && forGroup >= _upTo[group])
        {
            group++;
        }

        return _starts[group] + (int)(forPlace % (uint)_counts[group]);
    }
}
