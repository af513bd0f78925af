using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Tarn.Torture.Findings;

/// <summary>Conditions that must hold under attack. A violation is a finding.</summary>
internal static class Require
{
    private const int MostTries = 400;

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
    /// <exception cref="FindingException">The condition does not hold after many tries.</exception>
    internal static void Settles(Action verify)
    {
        for (int tries = 1; ; tries++)
        {
            try
            {
                verify();
                return;
            }
            catch (Exception e) when (tries < MostTries && e is (FindingException or InvalidOperationException))
            {
                Thread.Sleep(5);
            }
        }
    }

    /// <summary>Waits for a condition that must become true, however slow the machine is.</summary>
    /// <exception cref="FindingException">It did not become true within a minute.</exception>
    internal static void Eventually(Func<bool> condition, string what)
    {
        TimeSpan limit = TimeSpan.FromMinutes(1);
        for (long start = Environment.TickCount64; !condition(); Thread.Sleep(1))
        {
            That(Environment.TickCount64 - start < limit.TotalMilliseconds, $"Waited {limit} in vain: {what}.");
        }
    }
}
