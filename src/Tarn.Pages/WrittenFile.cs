namespace Tarn.Pages;

/// <summary>Where contents were written.</summary>
/// <param name="Path">The file that has them.</param>
/// <param name="Problem">Why it is not the one that was asked for; null if it is.</param>
internal readonly record struct WrittenFile(string Path, string? Problem);
