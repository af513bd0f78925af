using System.Diagnostics;

namespace Tarn.Torture.Storms;

/// <summary>
/// Threads that work until time is up or something failed on one of them. Each lives for a while and dies, then another takes its place.
/// </summary>
internal sealed class StressThreads(int threads, TimeSpan duration)
{
    private const int MostSteps = 2000;

    private readonly Stopwatch _elapsed = Stopwatch.StartNew();
    private Exception? _failure;
    private long _lives;

    /// <summary>Threads that lived, those that disturb not counted.</summary>
    internal long Lives => Volatile.Read(ref _lives);

    internal bool IsOver => _elapsed.Elapsed > duration || _failure is not null;

    /// <summary>Runs until time is up; fails with the seed and the first failure.</summary>
    /// <param name="seed">Each thread's random numbers come of it.</param>
    /// <param name="live">The life of a thread: at least one step, and about that many until <see cref="IsOver"/>.</param>
    /// <param name="disturbances">Run repeatedly at the same time, each on a thread of its own.</param>
    /// <param name="verifyEnd">Checks the final state, if nothing failed before.</param>
    internal void Run(int seed, Action<Random, int> live, Action[] disturbances, Action verifyEnd)
    {
        Thread[] all =
        [
            .. Enumerable.Range(0, threads).Select(i => new Thread(() => Guard(() => LiveAndDie(live, new Random(seed + i))))),
            .. disturbances.Select(disturb => new Thread(() => Guard(() => Repeat(disturb)))),
        ];
        Array.ForEach(all, static thread => thread.Start());
        Array.ForEach(all, static thread => thread.Join());
        if (_failure is null)
        {
            Guard(verifyEnd);
        }

        if (_failure is { } failure)
        {
            throw new InvalidOperationException($"The stress of seed {seed} with {threads} threads failed: {failure.Message}", failure);
        }
    }

    private void Guard(Action action)
    {
        try
        {
            action();
        }
#pragma warning disable CA1031 // a thread of the test's own must not take the process down; the test fails with the exception
        catch (Exception e)
#pragma warning restore CA1031
        {
            Interlocked.CompareExchange(ref _failure, e, null);
        }
    }

    private void Repeat(Action disturb)
    {
        while (!IsOver)
        {
            disturb();
            Thread.Sleep(1);
        }
    }

    private void LiveAndDie(Action<Random, int> live, Random random)
    {
        do
        {
            Interlocked.Increment(ref _lives);
            Thread life = new(() => Guard(() => live(random, random.Next(1, MostSteps))));
            life.Start();
            life.Join();
        }
        while (!IsOver);
    }
}
