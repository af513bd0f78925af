namespace Tarn.Tool.Watching;

/// <summary>What a pool did. Lengths count elements, because events do not tell their type.</summary>
internal readonly record struct PoolCounts(
    long Rented, long Returned, long Allocated, long AllocatedElements, long Dropped, long DroppedElements, long Trimmed)
{
    public static PoolCounts operator +(PoolCounts left, PoolCounts right) => new(
        left.Rented + right.Rented,
        left.Returned + right.Returned,
        left.Allocated + right.Allocated,
        left.AllocatedElements + right.AllocatedElements,
        left.Dropped + right.Dropped,
        left.DroppedElements + right.DroppedElements,
        left.Trimmed + right.Trimmed);

    public static PoolCounts operator -(PoolCounts left, PoolCounts right) => new(
        left.Rented - right.Rented,
        left.Returned - right.Returned,
        left.Allocated - right.Allocated,
        left.AllocatedElements - right.AllocatedElements,
        left.Dropped - right.Dropped,
        left.DroppedElements - right.DroppedElements,
        left.Trimmed - right.Trimmed);
}
