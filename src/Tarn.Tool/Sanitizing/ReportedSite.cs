namespace Tarn.Tool.Sanitizing;

/// <summary>A place that rents or returns.</summary>
/// <param name="Returns">Whether it returns.</param>
/// <param name="Hash">What selects it in another run.</param>
/// <param name="Name">Its methods.</param>
internal sealed record ReportedSite(bool Returns, uint Hash, string Name);
