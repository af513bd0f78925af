using System.Runtime.CompilerServices;

namespace Tarn.Diagnostics;

/// <summary>Counts the bytes that each thread rents down to its next sample.</summary>
/// <remarks>
/// <para>The gaps between the samples of a thread are exponentially distributed, so the sampled bytes form a Poisson process, and a rent of
/// s bytes is sampled with the probability 1 - e^(-s/m), where m is the mean gap. The process has no memory. So a thread may draw a new gap
/// at any time, and does when the mean changes, without a bias.</para>
/// <para>No locks and no atomic instructions, except when a thread first counts. The class has no static constructor, because each access
/// would test whether it has run.</para>
/// </remarks>
internal static class SampleCountdown
{
    /// <summary>The bytes until this thread's next sample.</summary>
    [ThreadStatic]
    private static long t_left;

    /// <summary>The value of <see cref="s_draws"/> when this thread drew its gap.</summary>
    [ThreadStatic]
    private static int t_draw;

    /// <summary>The mean of the gap that this thread drew.</summary>
    [ThreadStatic]
    private static double t_mean;

    /// <summary>The state of this thread's random numbers, and the profile that they belong to.</summary>
    [ThreadStatic]
    private static ulong t_random;

    [ThreadStatic]
    private static int t_profile;

    /// <summary>Whether this thread takes a sample. Listeners may rent meanwhile, and are not sampled.</summary>
    [ThreadStatic]
    private static bool t_isPaused;

    /// <summary>Changes when every thread must draw a new gap.</summary>
    private static int s_draws;

    /// <summary>The mean gap that threads draw from this thread's last one, in bytes.</summary>
    internal static double Mean => t_mean;

    /// <summary>Makes every thread draw a new gap before it counts on.</summary>
    internal static void Redraw() => Interlocked.Increment(ref s_draws);

    /// <summary>Counts a rent. Returns false, and counts nothing, if the rent must be sampled.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool Passes(long bytes)
    {
        long left = t_left - bytes;
        if (left > 0 && t_draw == s_draws)
        {
            t_left = left;
            return true;
        }

        return PassesSlow(bytes);
    }

    /// <summary>Draws the next gap of this thread, and samples nothing until <see cref="Resume"/>.</summary>
    internal static void Pause(SampleProfile profile)
    {
        Draw(profile);
        t_isPaused = true;
    }

    /// <summary>Ends what <see cref="Pause"/> began.</summary>
    internal static void Resume() => t_isPaused = false;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool PassesSlow(long bytes)
    {
        if (t_isPaused || BufferSampling.Profile is not { } profile)
        {
            return true;
        }

        if (t_draw != Volatile.Read(ref s_draws))
        {
            Draw(profile);
        }

        long left = t_left - bytes;
        if (left <= 0)
        {
            return false;
        }

        t_left = left;
        return true;
    }

    private static void Draw(SampleProfile profile)
    {
        if (t_profile != profile.Number)
        {
            t_profile = profile.Number;
            t_random = profile.NextSeed();
        }

        // Read before the mean: a change in between leads to another draw.
        t_draw = Volatile.Read(ref s_draws);
        t_mean = profile.Throttle.Mean;

        // One more than the gap rounded down: it is at most s exactly when the gap is less than s.
        double gap = -Math.Log(NextFraction()) * t_mean;
        t_left = (long)Math.Min(gap, long.MaxValue / 2) + 1;
    }

    /// <summary>A random number above 0, up to 1 (SplitMix64, Steele, Lea and Flood, 2014).</summary>
    private static double NextFraction()
    {
        t_random = unchecked(t_random + 0x9E3779B97F4A7C15);
        ulong mixed = unchecked((t_random ^ (t_random >> 30)) * 0xBF58476D1CE4E5B9);
        mixed = unchecked((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB);
        mixed ^= mixed >> 31;
        return ((mixed >> 11) + 1) * (1.0 / (1UL << 53));
    }
}
