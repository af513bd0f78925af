using Tarn.Torture.Attacks;

namespace Tarn.Torture.Running;

/// <summary>
/// Divides the time of a run: each attack gets the same share. Most take turns in rounds of about a minute, so that a short run makes all
/// of them and a long one alternates. Those that are continuous have their share at once, in the end, as they may take longer than that.
/// </summary>
internal sealed class SlicePlan
{
    private const double SecondsOfRound = 60;
    private const double LeastSeconds = 0.2;

    private readonly IReadOnlyList<IAttack> _attacks;
    private readonly List<(IAttack Attack, int Round)> _turns = [];
    private readonly double _seconds;
    private readonly int _seed;

    internal SlicePlan(IReadOnlyList<IAttack> attacks, TimeSpan duration, int seed)
    {
        (_attacks, _seconds, _seed) = (attacks, duration.TotalSeconds, seed);
        int rounds = Math.Max(1, (int)Math.Round(_seconds / SecondsOfRound));
        for (int round = 0; round < rounds; round++)
        {
            _turns.AddRange(attacks.Where(static attack => !attack.IsContinuous).Select(attack => (attack, round)));
        }

        _turns.AddRange(attacks.Where(static attack => attack.IsContinuous).Select(static attack => (attack, 0)));
    }

    /// <summary>How many slices there are.</summary>
    internal int Count => _turns.Count;

    /// <summary>The next slice after the given time. The remaining time is divided among the remaining slices.</summary>
    /// <remarks>
    /// A round's seed is the run's and the number of rounds before it, so one slice alone is made again by a run of its seed.
    /// </remarks>
    internal Slice At(int index, TimeSpan elapsed)
    {
        (IAttack attack, int round) = _turns[index];
        double share = _seconds / _attacks.Count;
        double seconds = share;
        if (!attack.IsContinuous)
        {
            double reserved = _turns.Skip(index).Count(static turn => turn.Attack.IsContinuous) * share;
            int left = _turns.Skip(index).Count(static turn => !turn.Attack.IsContinuous);
            seconds = (_seconds - elapsed.TotalSeconds - reserved) / left;
        }

        return new Slice(attack.Name, unchecked(_seed + round), Math.Round(Math.Max(seconds, LeastSeconds), 3));
    }
}
