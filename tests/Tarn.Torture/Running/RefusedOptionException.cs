namespace Tarn.Torture.Running;

/// <summary>The command line asks for what there is not.</summary>
internal sealed class RefusedOptionException(string message) : Exception(message);
