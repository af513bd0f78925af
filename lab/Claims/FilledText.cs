namespace Tarn.Lab.Claims;

/// <summary>A document with measured figures, and each place where it said something else.</summary>
internal sealed record FilledText(string Text, IReadOnlyList<string> Problems);
