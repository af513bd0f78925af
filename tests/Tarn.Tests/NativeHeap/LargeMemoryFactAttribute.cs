namespace Tarn.Tests.NativeHeaps;

/// <summary>A test that takes gigabytes of address space; skipped where less than 8 GiB of memory are free.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class LargeMemoryFactAttribute : FactAttribute
{
    private const long NeededBytes = 8L << 30;

    public LargeMemoryFactAttribute()
    {
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
