namespace Tarn.Torture.Findings;

/// <summary>An attack found a violation.</summary>
internal sealed class FindingException(string message, Exception? inner = null) : Exception(message, inner);
