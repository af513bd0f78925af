namespace Tarn.Lab.Published;

/// <summary>Messages between processes, as published by others.</summary>
internal static class PublishedMessages
{
    public const string Iceoryx2 = "iceoryx2";
    public const string MappedFile = "ipc-bench, memory-mapped file";
    public const string SharedMemory = "ipc-bench, shared memory";
    public const string Pipe = "ipc-bench, pipe";
    public const string UnixSocket = "ipc-bench, Unix domain socket";
    public const string Tcp = "ipc-bench, TCP";
    public const string Interprocess = "cloudtoid/interprocess";

    /// <summary>Bytes of ipc-bench's messages.</summary>
    public const int IpcBenchSize = 100;

    /// <summary>Bytes of the message that interprocess writes and reads.</summary>
    public const int InterprocessSize = 3;

    /// <summary>
    /// One way, in nanoseconds. ipc-bench reports messages a second, each sent back and forth before the next: one way is half of that
    /// time.
    /// </summary>
    public static PublishedTable OneWay { get; } = new(
        "iceoryx2: its README, Core i7-10875H; ipc-bench: its README, Core i5-4590S, Ubuntu 20.04, C",
        [
            new(Iceoryx2, 64, 64 << 10, 240, 240),
            OfRate(MappedFile, 5_338_860),
            OfRate(SharedMemory, 4_702_557),
            OfRate(Pipe, 162_441),
            OfRate(UnixSocket, 130_372),
            OfRate(Tcp, 70_221),
        ]);

    /// <summary>Written and read on one thread.</summary>
    public static PublishedTable OneThread { get; } = new(
        "cloudtoid/interprocess: its README, Core i9-10900X, Ubuntu on Windows, .NET 6", [new(Interprocess, InterprocessSize, 169.9)]);

    private static PublishedFigure OfRate(string method, double roundTripsPerSecond) =>
        new(method, IpcBenchSize, 1e9 / roundTripsPerSecond / 2);
}
