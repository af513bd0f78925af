using Tarn.Lab.Contenders;

namespace Tarn.Lab.Experiments.Servers;

/// <summary>One way to give a web server its memory.</summary>
/// <param name="Name">What the report calls it.</param>
/// <param name="Concerns">The loads under which it can differ from the others.</param>
/// <param name="Arguments">The arguments of the server's program.</param>
internal sealed record ServerDesign(string Name, Func<ServerLoad, bool> Concerns, params string[] Arguments)
{
    /// <summary>Kestrel's own pool comes first: the others are compared with it.</summary>
    public static IReadOnlyList<ServerDesign> All { get; } =
    [
        new(ServerNames.Default, _ => true, ServerNames.ArgumentOf(ServerNames.Default)),
        new(ServerNames.Tarn, _ => true, Tarn),
        new(ServerNames.MemoryPool, IsUpload, MemoryPool),
        Blocks(4, IsUpload),
        Blocks(16, load => IsUpload(load) && IsHttp1(load)),
        Blocks(64, IsUpload),
        Blocks(256, load => IsUpload(load) || IsHttp1(load)),
        Setting("MaxResponseBufferSize", "1048576", load => load.Work == ServerWork.Download && load.Protocol != ServerProtocol.Tls),
        new(
            $"{ServerNames.Tarn}, HTTP/2 windows of 2 and 16 MiB",
            load => IsUpload(load) && load.Protocol == ServerProtocol.Http2,
            Tarn,
            "InitialStreamWindowSize=2097152",
            "InitialConnectionWindowSize=16777216"),
        Setting("WaitForDataBeforeAllocatingBuffer", "false", load => IsUpload(load) && IsHttp1(load)),
        Setting("UnsafePreferInlineScheduling", "true", IsHttp1),
    ];

    private static string Tarn => ServerNames.ArgumentOf(ServerNames.Tarn);

    private static string MemoryPool => ServerNames.ArgumentOf(ServerNames.MemoryPool);

    private static ServerDesign Blocks(int kibibytes, Func<ServerLoad, bool> concerns) =>
        new($"{ServerNames.MemoryPool}, pinned blocks of {kibibytes} KiB", concerns, $"{MemoryPool}:{kibibytes << 10}");

    private static ServerDesign Setting(string name, string value, Func<ServerLoad, bool> concerns) =>
        new($"{ServerNames.Tarn}, {name} = {value}", concerns, Tarn, $"{name}={value}");

    private static bool IsHttp1(ServerLoad load) => load.Protocol == ServerProtocol.Http1;

    private static bool IsUpload(ServerLoad load) => load.Work == ServerWork.Upload;
}
