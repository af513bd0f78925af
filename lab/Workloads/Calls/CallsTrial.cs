using System.Diagnostics;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Calls;

/// <summary>Calls of one contender on all threads of a crew, timed one by one.</summary>
/// <param name="name">The contender's name in the report.</param>
/// <param name="kinds">The kinds of call.</param>
/// <param name="threads">The size of the crew.</param>
/// <param name="disturb">
/// Called now and then on another thread while the calls run: what a program does to the contender besides calling it.
/// </param>
internal abstract class CallsTrial(string name, IReadOnlyList<string> kinds, int threads, Action? disturb)
{
    private readonly CallTimer[] _timers = [.. Enumerable.Range(0, threads).Select(_ => new CallTimer(kinds.Count))];

    public string Name { get; } = name;

    public IReadOnlyList<string> Kinds { get; } = kinds;

    public void Disturb() => disturb?.Invoke();

    /// <summary>Runs the calls on every thread for a time. Returns the times of all threads, by kind.</summary>
    public IReadOnlyList<CallTimes> Run(Crew crew, TimeSpan time)
    {
        long until = Stopwatch.GetTimestamp() + (long)(time.TotalSeconds * Stopwatch.Frequency);
        _ = crew.Run(thread =>
        {
            _timers[thread].Begin();
            Work(thread, _timers[thread], until);
        });
        CallTimes[] merged = [.. Kinds.Select(_ => new CallTimes())];
        foreach (CallTimer timer in _timers)
        {
            for (int kind = 0; kind < merged.Length; kind++)
            {
                merged[kind].Add(timer.Times[kind]);
            }
        }

        return merged;
    }

    /// <summary>Makes calls on one thread until the clock shows <paramref name="until"/>, at least one.</summary>
    protected abstract void Work(int thread, CallTimer timer, long until);
}
