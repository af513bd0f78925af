namespace Tarn.Tests.Support;

/// <summary>
/// A test that takes gigabytes of address space; skipped where less than 8 GiB of memory are free. One that writes to them as well is run
/// when a duration of stress tests is requested.
/// </summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class LargeMemoryFactAttribute : FactAttribute
{
    private const long NeededBytes = 8L << 30;

    public LargeMemoryFactAttribute(bool isWritten = false)
    {
        if (isWritten && !StressLength.IsAsked)
        {
            Skip = $"The test writes gigabytes: {StressLength.Variable} asks for it.";
            return;
        }

        if (GC.CollectionCount(0) == 0)
        {
            // Before the first collection there is no reading.
            GC.Collect(0);
        }

        GCMemoryInfo info = GC.GetGCMemoryInfo();
        long free = info.TotalAvailableMemoryBytes - info.MemoryLoadBytes;
        if (free < NeededBytes)
        {
            Skip = $"{free >> 20} MiB of memory are free; the test wants {NeededBytes >> 20}.";
        }
    }
}
