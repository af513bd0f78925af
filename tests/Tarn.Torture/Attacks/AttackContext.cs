using System.Diagnostics;

namespace Tarn.Torture.Attacks;

/// <summary>The input of an attack, its seed and time, and its output, the counts and the parts it skipped.</summary>
/// <remarks>Counting is safe on any thread; <see cref="Random"/> is for the attack's own.</remarks>
internal sealed class AttackContext(int seed, TimeSpan duration)
{
    /// <summary>Shorter attacks touch everything once and omit the parts that have no short form.</summary>
    private static readonly TimeSpan s_brief = TimeSpan.FromSeconds(1);

    private readonly Stopwatch _elapsed = Stopwatch.StartNew();
    private readonly Lock _lock = new();
    private readonly Dictionary<string, long> _counts = [];
    private readonly List<string> _skipped = [];
    private readonly List<Expectation> _expected = [];

    internal Random Random { get; } = new(seed);

    internal bool IsOver => _elapsed.Elapsed >= duration;

    /// <summary>There is no time for the largest numbers.</summary>
    internal bool IsBrief => duration < s_brief;

    /// <summary>The count of each action.</summary>
    internal IReadOnlyDictionary<string, long> Counts => _counts;

    /// <summary>The parts that could not run here, each once and with the reason.</summary>
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

    /// <summary>Keeps the largest of the given numbers.</summary>
    internal void CountMost(string what, long number)
    {
        lock (_lock)
        {
            _counts[what] = Math.Max(_counts.GetValueOrDefault(what), number);
        }
    }

    /// <summary>
    /// Says that the attack makes misuse that is reported, sooner or later and perhaps not at all: it is no finding, up to so many reports.
    /// </summary>
    internal void Expect(Func<BufferIncident, bool> isMine, int most)
    {
        lock (_lock)
        {
            _expected.Add(new Expectation(isMine, most));
        }
    }

    /// <summary>Whether the attack makes the misuse that is reported. Each expected report is used up by one.</summary>
    internal bool TakeExpected(BufferIncident incident)
    {
        lock (_lock)
        {
            Expectation? expectation = _expected.Find(expected => expected.Left > 0 && expected.IsMine(incident));
            if (expectation is null)
            {
                return false;
            }

            expectation.Left--;
            return true;
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

    /// <summary>Reports that an attack expects, and how many are left.</summary>
    private sealed class Expectation(Func<BufferIncident, bool> isMine, int left)
    {
        internal Func<BufferIncident, bool> IsMine { get; } = isMine;

        internal int Left { get; set; } = left;
    }
}
