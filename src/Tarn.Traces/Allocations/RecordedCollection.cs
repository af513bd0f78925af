namespace Tarn.Traces;

/// <summary>A collection of garbage.</summary>
/// <param name="Generation">The oldest generation that it collected.</param>
/// <param name="IsForLarge">Whether large objects caused it, and not small ones or a call.</param>
/// <param name="IsByAllocation">Whether allocations caused it at all.</param>
/// <param name="Weight">How many collections it stands for, as only a part of the time was recorded.</param>
internal readonly record struct RecordedCollection(int Generation, bool IsForLarge, bool IsByAllocation, double Weight = 1);
