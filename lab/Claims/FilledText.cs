namespace Tarn.Lab.Claims;

/// <summary>A document with measured figures, and each place where it stated a different one.</summary>
internal sealed record FilledText(string Text, IReadOnlyList<string> Problems);
