namespace Tarn.Traces;

/// <summary>Thrown when a runtime refuses a command of the diagnostics protocol, such as one that it does not know.</summary>
internal sealed class DiagnosticsRefusal(string message) : IOException(message);
