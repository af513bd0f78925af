namespace Tarn.TestChild;

/// <summary>Waits for conditions, never for times.</summary>
internal static class Waiting
{
    /// <summary>Whether <paramref name="value"/> came to satisfy <paramref name="condition"/> before <paramref name="limit"/>.</summary>
    internal static bool Until(ref int value, Func<int, bool> condition, TimeSpan limit)
    {
        long end = Environment.TickCount64 + (long)limit.TotalMilliseconds;
        while (!condition(Volatile.Read(ref value)))
        {
            if (Environment.TickCount64 > end)
            {
                return false;
            }

            Thread.Sleep(1);
        }

        return true;
    }
}
