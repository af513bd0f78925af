namespace Tarn.Lab.Contenders;

/// <summary>What the report calls each way from process to process, the same everywhere.</summary>
internal static class MessageNames
{
    public const string Ring = "SharedRing";
    public const string RingInPlace = "SharedRing, in place";
    public const string Pipe = "Anonymous pipe";
    public const string UnixSocket = "Unix domain socket";
    public const string Tcp = "TCP on loopback";

    public static IReadOnlyList<string> All { get; } = [Ring, RingInPlace, Pipe, UnixSocket, Tcp];

    public static IReadOnlyList<string> Peers { get; } = [Pipe, UnixSocket, Tcp];
}
