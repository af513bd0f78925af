namespace Tarn.Traces;

/// <summary>The events of a pool's event source that are read, by their ids.</summary>
internal enum PoolEventKind
{
    Rented = 1,
    Allocated = 2,
    Returned = 3,
    Trimmed = 4,
    Dropped = 6,
}
