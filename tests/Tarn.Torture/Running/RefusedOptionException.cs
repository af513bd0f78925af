namespace Tarn.Torture.Running;

/// <summary>The command line requests something that does not exist.</summary>
internal sealed class RefusedOptionException(string message) : Exception(message);
