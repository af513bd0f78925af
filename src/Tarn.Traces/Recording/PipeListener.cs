using System.IO.Pipes;

namespace Tarn.Traces;

/// <summary>Listens on a named pipe. One instance always waits for the next process, which else would not find the pipe.</summary>
internal sealed class PipeListener : IPortListener
{
    private NamedPipeServerStream _next;

    /// <param name="address">The pipe's name, without the prefix of pipes; on Unix the path of its socket.</param>
    internal PipeListener(string address)
    {
        Address = address;
        _next = Create(address);
    }

    public string Address { get; }

    public async Task<Stream> AcceptAsync(CancellationToken cancellationToken)
    {
        NamedPipeServerStream connection = _next;
        await connection.WaitForConnectionAsync(cancellationToken).ConfigureAwait(false);
        _next = Create(Address);
        return connection;
    }

    public void Dispose() => _next.Dispose();

    private static NamedPipeServerStream Create(string address) => new(
        address,
        PipeDirection.InOut,
        NamedPipeServerStream.MaxAllowedServerInstances,
        PipeTransmissionMode.Byte,
        PipeOptions.Asynchronous | PipeOptions.CurrentUserOnly);
}
