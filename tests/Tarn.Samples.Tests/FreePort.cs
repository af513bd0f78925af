using System.Net;
using System.Net.Sockets;

namespace Tarn.Samples.Tests;

/// <summary>Ports for servers that a test starts.</summary>
internal static class FreePort
{
    /// <summary>A port that nobody listened at a moment ago.</summary>
    internal static int Next()
    {
        using Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return ((IPEndPoint)socket.LocalEndPoint!).Port;
    }
}
