namespace Tarn.Lab.Experiments.Servers;

/// <summary>How clients speak to the server; the order is that of its ports.</summary>
internal enum ServerProtocol
{
    Http1,
    Http2,
    Tls,
}

/// <summary>What clients ask for.</summary>
internal enum ServerWork
{
    Upload,
    Download,
    Get,
}

/// <summary>One load of the server.</summary>
internal sealed record ServerLoad(ServerProtocol Protocol, ServerWork Work)
{
    /// <summary>The size of an upload.</summary>
    public const int UploadBytes = 300 << 10;

    public static IReadOnlyList<ServerLoad> All { get; } =
    [
        .. from protocol in Enum.GetValues<ServerProtocol>()
           from work in Enum.GetValues<ServerWork>()
           select new ServerLoad(protocol, work),
    ];

    public string Id => $"{Protocol}-{Work}".ToLowerInvariant();

    public string Title => $"{TitleOf(Work)}, {TitleOf(Protocol)}";

    public string Path => $"/{Work}".ToLowerInvariant();

    /// <summary>Connections at a time: many small requests, few large ones, because these keep the processors busy alone.</summary>
    public int Connections => Work == ServerWork.Get ? 64 : 16;

    /// <summary>
    /// The largest ratio of times that the project accepts: 2.2 times the uploads, 1.3 times the downloads, 0.98 times the small requests.
    /// </summary>
    public double Target => Work switch
    {
        ServerWork.Upload => 1 / 2.2,
        ServerWork.Download => 1 / 1.3,
        _ => 1 / 0.98,
    };

    private static string TitleOf(ServerWork work) => work switch
    {
        ServerWork.Upload => "Upload of 300 KiB",
        ServerWork.Download => "Response of 1 MiB",
        _ => "Small GET",
    };

    private static string TitleOf(ServerProtocol protocol) => protocol switch
    {
        ServerProtocol.Http1 => "HTTP/1.1",
        ServerProtocol.Http2 => "HTTP/2",
        _ => "HTTP/1.1 with TLS",
    };
}
