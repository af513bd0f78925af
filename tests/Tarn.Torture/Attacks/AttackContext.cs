using System.Diagnostics;

namespace Tarn.Torture.Attacks;

/// <summary>What an attack gets, the seed and the time, and what it leaves, counts and what it could not do.</summary>
/// <remarks>Counting is safe on any thread; <see cref="Random"/> is for the attack's own.</remarks>
internal sealed class AttackContext(int seed, TimeSpan duration)
{
    /// <summary>Shorter ones are to touch everything once, and leave out what has no short form.</summary>
    private static readonly TimeSpan s_brief = TimeSpan.FromSeconds(1);

    private readonly Stopwatch _elapsed = Stopwatch.StartNew();
    private readonly Lock _lock = new();
    private readonly Dictionary<string, long> _counts = [];
    private readonly List<string> _skipped = [];

    internal Random Random { get; } = new(seed);

    internal bool IsOver => _elapsed.Elapsed >= duration;

    /// <summary>There is no time for the largest numbers.</summary>
    internal bool IsBrief => duration < s_brief;

    /// <summary>What was done, and how often.</summary>
    internal IReadOnlyDictionary<string, long> Counts => _counts;

    /// <summary>What could not be done here, with the reason, each once.</summary>
    internal IReadOnlyList<string> Skipped => _skipped;

    private TimeSpan Left => duration - _elapsed.Elapsed;

    /// <summary>A part of the time: no more than is left, and enough to do something.</summary>
    internal TimeSpan Part(double seconds) =>
        TimeSpan.FromSeconds(Math.Clamp(Left.TotalSeconds, Math.Min(0.05, seconds), seconds));

    internal void Count(string what, long number = 1)
    {
        lock (_lock)
        {
            _counts[what] = _counts.GetValueOrDefault(what) + number;
        }
    }

    /// <summary>Notes the largest of the numbers told.</summary>
    internal void CountMost(string what, long number)
    {
        lock (_lock)
        {
            _counts[what] = Math.Max(_counts.GetValueOrDefault(what), number);
        }
    }

    internal void Skip(string reason)
    {
        lock (_lock)
        {
            if (!_skipped.Contains(reason))
            {
                _skipped.Add(reason);
            }
        }
    }
}
