using System.Globalization;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;

namespace Tarn.Lab.Server;

/// <summary>Settings of Kestrel and of its sockets, each an argument of the program: <c>NAME=VALUE</c>.</summary>
internal static class ServerSettings
{
    /// <summary>Applies a setting.</summary>
    /// <exception cref="ArgumentException">There is no setting of that name here.</exception>
    public static void Apply(string argument, IWebHostBuilder host)
    {
        (string name, string text) = argument.Split('=') is [var left, var right] ? (left, right) : (argument, "");
        Action<KestrelServerLimits>? limit = name switch
        {
            "MaxRequestBufferSize" => limits => limits.MaxRequestBufferSize = Whole(text),
            "MaxResponseBufferSize" => limits => limits.MaxResponseBufferSize = Whole(text),
            "InitialConnectionWindowSize" => limits => limits.Http2.InitialConnectionWindowSize = Whole(text),
            "InitialStreamWindowSize" => limits => limits.Http2.InitialStreamWindowSize = Whole(text),
            "MaxFrameSize" => limits => limits.Http2.MaxFrameSize = Whole(text),
            _ => null,
        };
        Action<SocketTransportOptions>? socket = name switch
        {
            "UnsafePreferInlineScheduling" => sockets => sockets.UnsafePreferInlineScheduling = bool.Parse(text),
            "WaitForDataBeforeAllocatingBuffer" => sockets => sockets.WaitForDataBeforeAllocatingBuffer = bool.Parse(text),
            _ => null,
        };
        if (limit is not null)
        {
            host.ConfigureKestrel(kestrel => limit(kestrel.Limits));
        }
        else
        {
            host.UseSockets(socket ?? throw new ArgumentException($"There is no setting {name} here.", nameof(argument)));
        }
    }

    private static int Whole(string text) => int.Parse(text, CultureInfo.InvariantCulture);
}
