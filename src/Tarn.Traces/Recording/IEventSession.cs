namespace Tarn.Traces;

/// <summary>A session in which a process sends events.</summary>
internal interface IEventSession : IDisposable
{
    /// <summary>The events, in the runtime's format. Ends with the session.</summary>
    Stream Events { get; }

    /// <summary>Asks the process to end the session. What it has sent until then follows in the stream.</summary>
    /// <exception cref="IOException">The process has ended, or does not answer.</exception>
    void Stop();
}
