namespace Tarn.Traces;

/// <summary>What processes connect to: a socket, or a named pipe on Windows.</summary>
internal interface IPortListener : IDisposable
{
    /// <summary>The address, as the runtime takes it.</summary>
    string Address { get; }

    /// <summary>Returns the next connection. One call at a time.</summary>
    Task<Stream> AcceptAsync(CancellationToken cancellationToken);
}
