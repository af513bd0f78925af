namespace Tarn.Lab.Contenders;

/// <summary>The report's names of the ways from process to process.</summary>
internal static class MessageNames
{
    public const string Ring = "SharedRing";
    public const string RingInPlace = "SharedRing, in place";
    public const string Queue = "SharedQueue";
    public const string QueueInPlace = "SharedQueue, in place";
    public const string Topic = "SharedTopic";
    public const string TopicInPlace = "SharedTopic, in place";
    public const string Channel = "Channel, in one process";
    public const string Pipe = "Anonymous pipe";
    public const string UnixSocket = "Unix domain socket";
    public const string Tcp = "TCP on loopback";

    public static IReadOnlyList<string> All { get; } = [Ring, RingInPlace, Pipe, UnixSocket, Tcp];

    public static IReadOnlyList<string> Peers { get; } = [Pipe, UnixSocket, Tcp];
}
