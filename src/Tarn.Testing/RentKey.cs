namespace Tarn.Testing;

/// <summary>
/// What tells a rented buffer from others, as far as pools tell it: an array by 26 bits of its hash code, and so by its length too.
/// </summary>
/// <param name="Source">The name of the event source.</param>
/// <param name="PoolId">The pool's id; 0 for streams.</param>
/// <param name="BufferId">The buffer's id.</param>
/// <param name="Length">The length of a buffer; 0 for streams.</param>
/// <param name="IsStream">Whether it is a stream.</param>
internal readonly record struct RentKey(string Source, int PoolId, int BufferId, int Length, bool IsStream);
