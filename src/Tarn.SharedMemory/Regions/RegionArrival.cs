namespace Tarn.SharedMemory;

/// <summary>Waits for regions that other processes create.</summary>
internal static class RegionArrival
{
    /// <summary>The longest time between two looks for a region that is not there yet.</summary>
    private const int MostMillisecondsBetweenLooks = 50;

    /// <summary>Opens what is in a region; waits until another process has created it.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The timeout is negative and not infinite.</exception>
    /// <exception cref="TimeoutException">There is nothing of that name after the timeout.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    internal static SharedRegion Await(
        NamedMemory names, string name, RegionKind kind, TimeSpan timeout, bool allowOtherUsers, CancellationToken cancellationToken)
    {
        long deadline = Deadline.After(timeout);
        for (int milliseconds = 1; ; milliseconds = Math.Min(2 * milliseconds, MostMillisecondsBetweenLooks))
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (SharedRegion.TryOpen(names, name, kind, allowOtherUsers) is { } region)
            {
                return region;
            }

            if (Environment.TickCount64 >= deadline)
            {
                throw new TimeoutException(
                    $"No process created the {RegionFile.Noun(kind)} \"{name}\" within {timeout}. Start the process that creates it, wait "
                    + $"longer, or call {nameof(SharedRegion.CreateOrOpen)} in both.");
            }

            cancellationToken.WaitHandle.WaitOne(milliseconds);
        }
    }
}
