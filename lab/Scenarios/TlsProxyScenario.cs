using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Tarn.Lab.Scenarios;

/// <summary>
/// A proxy that decrypts data and encrypts it again: <c>SslStream</c> on both sides, joined by <c>Stream.CopyToAsync</c>. Its server, an
/// echo over TLS, runs in the process of the load.
/// </summary>
internal sealed class TlsProxyScenario : Scenario
{
    private const int Clients = 12;
    private const int RequestsPerConnection = 16;
    private const string Subject = "CN=localhost";

    public override string Name => "tls-proxy";

    /// <summary>The first four bytes that a client sends are the port of the echo.</summary>
    public override Task<IAsyncDisposable> ServeAsync(Action<int> onReady) => Task.FromResult<IAsyncDisposable>(new TlsListener(
        async incoming =>
        {
            var target = new byte[sizeof(int)];
            await incoming.ReadExactlyAsync(target);
            await using SslStream outgoing = await ConnectAsync(BitConverter.ToInt32(target), CancellationToken.None);
            await Task.WhenAny(incoming.CopyToAsync(outgoing), outgoing.CopyToAsync(incoming));
        },
        onReady));

    public override async Task LoadAsync(int port, CancellationToken end)
    {
        int echo = 0;
        await using var server = new TlsListener(stream => stream.CopyToAsync(stream), at => echo = at);
        await RepeatAsync(Clients, Ask, end);

        async Task Ask(Random random)
        {
            await using SslStream proxy = await ConnectAsync(port, end);
            await proxy.WriteAsync(BitConverter.GetBytes(echo), end);
            for (int request = 0; request < RequestsPerConnection; request++)
            {
                var message = new byte[(int)(100 * Math.Pow(2, random.NextDouble() * 12))];
                Task writing = proxy.WriteAsync(message, end).AsTask();
                await proxy.ReadExactlyAsync(new byte[message.Length], end);
                await writing;
            }
        }
    }

    private static async Task<SslStream> ConnectAsync(int port, CancellationToken end)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync(IPAddress.Loopback, port, end);
        var stream = new SslStream(new NetworkStream(socket, ownsSocket: true));
        await stream.AuthenticateAsClientAsync(
            new SslClientAuthenticationOptions
            {
                TargetHost = "localhost",
                RemoteCertificateValidationCallback = static (_, certificate, _, _) => certificate?.Subject == Subject,
            },
            end);
        return stream;
    }

    /// <summary>Hands each connection over as a TLS stream.</summary>
    private sealed class TlsListener : IAsyncDisposable
    {
        private readonly Socket _socket = new(SocketType.Stream, ProtocolType.Tcp);
        private readonly X509Certificate2 _certificate = CreateCertificate();

        public TlsListener(Func<SslStream, Task> serve, Action<int> onReady)
        {
            _socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
            _socket.Listen();
            onReady(((IPEndPoint)_socket.LocalEndPoint!).Port);
            _ = Task.Run(() => AcceptAsync(serve));
        }

        public ValueTask DisposeAsync()
        {
            _socket.Dispose();
            _certificate.Dispose();
            return ValueTask.CompletedTask;
        }

        private async Task AcceptAsync(Func<SslStream, Task> serve)
        {
            while (true)
            {
                Socket connection = await _socket.AcceptAsync();
                connection.NoDelay = true;
                _ = Task.Run(() => ServeAsync(connection, serve));
            }
        }

        private async Task ServeAsync(Socket connection, Func<SslStream, Task> serve)
        {
            try
            {
                await using var stream = new SslStream(new NetworkStream(connection, ownsSocket: true));
                await stream.AuthenticateAsServerAsync(_certificate);
                await serve(stream);
            }
            catch (Exception exception)
                when (exception is IOException or ObjectDisposedException or System.Security.Authentication.AuthenticationException)
            {
                // The other end may close at any time.
            }
        }

        private static X509Certificate2 CreateCertificate()
        {
            using var key = RSA.Create(2048);
            var request = new CertificateRequest(Subject, key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
            using X509Certificate2 made = request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
            return X509CertificateLoader.LoadPkcs12(made.Export(X509ContentType.Pkcs12), null);
        }
    }
}
