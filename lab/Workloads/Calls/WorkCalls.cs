using System.Diagnostics;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Calls;

/// <summary>One kind of work on all threads, each with its own, timed one by one.</summary>
internal sealed class WorkCalls<TWork>(string name, string kind, IEnumerable<TWork> works, int threads, Action? disturb = null)
    : CallsTrial(name, [kind], threads, disturb)
    where TWork : struct, IWork
{
    private readonly TWork[] _works = [.. works];

    protected override void Work(int thread, CallTimer timer, long until)
    {
        TWork work = _works[thread];
        long end;
        do
        {
            long start = Stopwatch.GetTimestamp();
            work.Once();
            end = Stopwatch.GetTimestamp();
            timer.Note(0, start, end);
        }
        while (end < until);
    }
}
