namespace Tarn.Tool.Sanitizing;

/// <summary>A run of the program with some of its buffers poisoned.</summary>
/// <param name="Failed">Whether the program failed.</param>
/// <param name="Sites">The places that rented and returned in it.</param>
internal sealed record BisectedRun(bool Failed, IReadOnlyCollection<ReportedSite> Sites);
