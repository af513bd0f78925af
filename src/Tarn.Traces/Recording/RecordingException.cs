namespace Tarn.Traces;

/// <summary>Thrown when a process cannot be recorded. The message names the process and the reason.</summary>
public sealed class RecordingException : IOException
{
    /// <summary>Creates an exception with a message.</summary>
    public RecordingException(string message)
        : base(message)
    {
    }

    /// <summary>Creates an exception with a message and its cause.</summary>
    public RecordingException(string message, Exception inner)
        : base(message, inner)
    {
    }
}
