using System.Reflection;
using Tarn.SharedMemory;

namespace Tarn.Lab.Contenders;

/// <summary>The report's names of the ways from process to process.</summary>
internal static class MessageNames
{
    public const string Ring = "SharedRing";
    public const string RingInPlace = "SharedRing, in place";
    public const string RingAwaited = "SharedRing, awaited";
    public const string RingInline = "SharedRing, awaited inline";
    public const string Queue = "SharedQueue";
    public const string QueueInPlace = "SharedQueue, in place";
    public const string QueueAwaited = "SharedQueue, awaited";
    public const string QueueInline = "SharedQueue, awaited inline";
    public const string Topic = "SharedTopic";
    public const string TopicInPlace = "SharedTopic, in place";
    public const string TopicAwaited = "SharedTopic, awaited";
    public const string TopicInline = "SharedTopic, awaited inline";
    public const string Channel = "Channel, in one process";
    public const string ChannelAwaited = "Channel, in one process, awaited";
    public const string Pipe = "Anonymous pipe";
    public const string UnixSocket = "Unix domain socket";
    public const string Tcp = "TCP on loopback";
    public const string Word = "A counter, spun on";
    public const string Interprocess = "Cloudtoid.Interprocess";
    public const string Disruptor = "Disruptor IPC";

    public static IReadOnlyList<string> All { get; } = [Ring, RingInPlace, Pipe, UnixSocket, Tcp];

    /// <summary>What the system has.</summary>
    public static IReadOnlyList<string> Peers { get; } = [Pipe, UnixSocket, Tcp];

    /// <summary>The libraries of others that this build has.</summary>
    public static IReadOnlyList<string> Libraries { get; } =
    [
#if INTERPROCESS
        Interprocess,
#endif
#if DISRUPTOR
        Disruptor,
#endif
    ];

    /// <summary>Null in a build without the library.</summary>
    public static Assembly? InterprocessAssembly =>
#if INTERPROCESS
        typeof(Cloudtoid.Interprocess.QueueFactory).Assembly;
#else
        null;
#endif

    /// <inheritdoc cref="InterprocessAssembly"/>
    public static Assembly? DisruptorAssembly =>
#if DISRUPTOR
        typeof(global::Disruptor.IpcRingBufferMemory).Assembly;
#else
        null;
#endif

    /// <summary>Whether a library of others has a way for such messages.</summary>
    public static bool CanCarry(string library, Messages.MessageTraffic traffic) => library switch
    {
#if DISRUPTOR
        Disruptor => Messages.DisruptorRoute.CanCarry(traffic),
#endif
        _ => !traffic.IsTopic || traffic.Readers == 1,
    };
}
