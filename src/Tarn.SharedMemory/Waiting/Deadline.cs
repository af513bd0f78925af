using System.Diagnostics.CodeAnalysis;

namespace Tarn.SharedMemory;

/// <summary>When a wait ends, by <see cref="Environment.TickCount64"/>.</summary>
internal static class Deadline
{
    /// <summary>Of a call that is not to wait: in the past.</summary>
    internal const long Now = long.MinValue;

    /// <summary>Of a call that waits for as long as it takes.</summary>
    internal const long Never = long.MaxValue;

    /// <summary>Of a call that begins now and may wait for so long.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The timeout is negative and not infinite.</exception>
    internal static long After(TimeSpan timeout)
    {
        if (timeout == TimeSpan.Zero)
        {
            return Now;
        }

        if (timeout < TimeSpan.Zero)
        {
            return timeout == Timeout.InfiniteTimeSpan ? Never : ThrowNotTimeout(timeout);
        }

        return Environment.TickCount64 + (long)Math.Ceiling(timeout.TotalMilliseconds);
    }

    [DoesNotReturn]
    private static long ThrowNotTimeout(TimeSpan timeout) => throw new ArgumentOutOfRangeException(
        nameof(timeout), timeout, "The timeout must not be negative: use Timeout.InfiniteTimeSpan to wait for ever.");
}
