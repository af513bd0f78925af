namespace Tarn.Tests.Schedules.Checking;

/// <summary>A method of the library.</summary>
/// <param name="File">Its path from the repository's root.</param>
/// <param name="Method">Its name.</param>
internal sealed record SourcePlace(string File, string Method);
