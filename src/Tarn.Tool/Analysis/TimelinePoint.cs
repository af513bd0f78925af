namespace Tarn.Tool.Analysis;

/// <summary>What happened in one of the equal spans of a recording.</summary>
/// <param name="Seconds">The end of the span.</param>
/// <param name="OutBytes">The bytes that were rented and not returned at that time; before the recording's start unknown, taken as
/// 0.</param>
/// <param name="AllocatedBytes">The bytes that pools allocated during the span.</param>
/// <param name="DroppedBytes">The bytes that pools did not keep.</param>
/// <param name="TrimmedBytes">The bytes that pools gave up.</param>
internal sealed record TimelinePoint(double Seconds, long OutBytes, long AllocatedBytes, long DroppedBytes, long TrimmedBytes);
