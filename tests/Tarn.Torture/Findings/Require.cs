using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Tarn.Torture.Findings;

/// <summary>Conditions that must hold under attack. A violation is a finding.</summary>
internal static class Require
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(1);

    /// <exception cref="FindingException"><paramref name="holds"/> is false.</exception>
    internal static void That(
        [DoesNotReturnIf(false)] bool holds, [InterpolatedStringHandlerArgument(nameof(holds))] FindingText finding)
    {
        if (!holds)
        {
            throw new FindingException(finding.ToString());
        }
    }

    /// <inheritdoc cref="That(bool, FindingText)"/>
    internal static void That([DoesNotReturnIf(false)] bool holds, string finding)
    {
        if (!holds)
        {
            throw new FindingException(finding);
        }
    }

    /// <exception cref="FindingException">The two differ; the message states both.</exception>
    internal static void Equal<T>(T expected, T actual, string what) =>
        That(EqualityComparer<T>.Default.Equals(expected, actual), $"{what}: {actual}, and must be {expected}.");

    /// <summary>
    /// Repeats the check until it holds: where the clock ticks by itself, the counters briefly miss the memory a tick is about to return.
    /// </summary>
    /// <param name="verify">Throws while it does not hold.</param>
    /// <param name="limit">When to give up; a minute by default.</param>
    /// <exception cref="FindingException">It does not hold when the time is up.</exception>
    internal static void Settles(Action verify, TimeSpan? limit = null)
    {
        for (long start = Environment.TickCount64; ;)
        {
            try
            {
                verify();
                return;
            }
            catch (Exception e) when (IsEarly(start, limit ?? s_limit) && e is (FindingException or InvalidOperationException))
            {
                Thread.Sleep(5);
            }
        }
    }

    /// <summary>Waits for a condition that must become true, however slow the machine is.</summary>
    /// <exception cref="FindingException">It did not become true within a minute.</exception>
    internal static void Eventually(Func<bool> condition, string what)
    {
        for (long start = Environment.TickCount64; !condition(); Thread.Sleep(1))
        {
            That(IsEarly(start, s_limit), $"Waited {s_limit} in vain: {what}.");
        }
    }

    private static bool IsEarly(long start, TimeSpan limit) => Environment.TickCount64 - start < limit.TotalMilliseconds;
}
