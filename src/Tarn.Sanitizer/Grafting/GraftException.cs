namespace Tarn.Sanitizing.Grafting;

/// <summary>An image cannot be grafted; the message says why, as the end of a sentence.</summary>
internal sealed class GraftException(string reason) : Exception(reason);
