namespace Tarn.Lab.Baseline;

/// <summary>The earlier run cannot be compared with.</summary>
internal sealed class BaselineException(string message, Exception? inner = null) : Exception(message, inner);
