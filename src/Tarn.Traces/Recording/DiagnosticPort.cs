using System.Buffers.Binary;

namespace Tarn.Traces;

/// <summary>
/// A reversed diagnostics port: every .NET process started with its address connects to it before its first instruction. The process then
/// waits until it is resumed. Children inherit the address, so a whole tree of processes connects.
/// </summary>
internal sealed class DiagnosticPort(IPortListener listener) : IDisposable
{
    /// <summary>The variable that names the port to the runtime.</summary>
    internal const string Variable = "DOTNET_DiagnosticPorts";

    // "ADVR_V1\0", the runtime's cookie, the process's id, two bytes for the future.
    private const int AdvertisementBytes = 34;
    private const int RuntimeAt = 8;
    private const int ProcessIdAt = 24;

    private readonly List<Stream> _connections = [];

    /// <summary>A port of this system's kind.</summary>
    internal DiagnosticPort()
        : this(Path.DirectorySeparatorChar == '\\' ? new PipeListener($"tarn-{Guid.NewGuid():N}") : new SocketListener())
    {
    }

    /// <summary>The address, as the runtime takes it.</summary>
    internal string Address => listener.Address;

    /// <summary>Returns the next process that connects. A resumed process connects again.</summary>
    internal async Task<WaitingProcess> AcceptAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            Stream connection = await listener.AcceptAsync(cancellationToken).ConfigureAwait(false);
            var advertisement = new byte[AdvertisementBytes];
            if (await TryReadAsync(connection, advertisement, cancellationToken).ConfigureAwait(false)
                && advertisement.AsSpan().StartsWith("ADVR_V1\0"u8))
            {
                // Keep the connection open: a runtime whose connection is closed connects again.
                _connections.Add(connection);
                return new WaitingProcess(
                    (int)BinaryPrimitives.ReadInt64LittleEndian(advertisement.AsSpan(ProcessIdAt)),
                    new Guid(advertisement.AsSpan(RuntimeAt, ProcessIdAt - RuntimeAt)),
                    connection);
            }

            await connection.DisposeAsync().ConfigureAwait(false);
        }
    }

    public void Dispose()
    {
        foreach (Stream connection in _connections)
        {
            connection.Dispose();
        }

        listener.Dispose();
    }

    private static async Task<bool> TryReadAsync(Stream connection, byte[] bytes, CancellationToken cancellationToken)
    {
        try
        {
            await connection.ReadExactlyAsync(bytes, cancellationToken).ConfigureAwait(false);
            return true;
        }
        catch (IOException)
        {
            // It closed the connection, or broke it off.
            return false;
        }
    }
}
