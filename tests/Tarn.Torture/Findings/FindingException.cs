namespace Tarn.Torture.Findings;

/// <summary>An attack met what must not be.</summary>
internal sealed class FindingException(string message, Exception? inner = null) : Exception(message, inner);
