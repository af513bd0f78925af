namespace Tarn.Traces;

/// <summary>A process cannot be recorded; the message names it and says why.</summary>
public sealed class RecordingException : IOException
{
    /// <summary>Makes one with a message.</summary>
    public RecordingException(string message)
        : base(message)
    {
    }

    /// <summary>Makes one with a message and what caused it.</summary>
    public RecordingException(string message, Exception inner)
        : base(message, inner)
    {
    }
}
