using Microsoft.Diagnostics.Tracing;

namespace Tarn.Traces;

/// <summary>
/// Reads the events of RecyclableMemoryStream as those of a pool: a stream is rented when it is created, and returned when it is disposed.
/// </summary>
/// <remarks>
/// The events name a stream by its id, and its capacity only when it is created. They do not name the manager, so all managers of a process
/// are one pool. Not thread-safe.
/// </remarks>
internal sealed class StreamEvents
{
    internal const string Source = "Microsoft-IO-RecyclableMemoryStream";

    /// <summary>The id of the pool that stands for all managers.</summary>
    internal const int Pool = 0;

    /// <summary>The size of a block until a manager names its own: the package's default.</summary>
    private const int DefaultBlockSize = 128 << 10;

    private readonly Dictionary<Guid, int> _lengths = [];

    /// <summary>
    /// The thread that runs finalizers, once a stream was finalized. A stream's finalizer reports a disposal first and then that it was a
    /// finalizer, so without <see cref="LookAhead"/> the first such stream counts as disposed, and no other.
    /// </summary>
    private int? _finalizerThread;
    private int _blockSize = DefaultBlockSize;

    /// <summary>Learns from an event that will be read later which thread runs finalizers.</summary>
    internal void LookAhead(TraceEvent one)
    {
        if (one.ProviderName == Source && one.EventName == "MemoryStreamFinalized")
        {
            _finalizerThread = one.ThreadID;
        }
    }

    /// <summary>Reads an event; null if it says nothing of a stream's life or of memory.</summary>
    internal PoolEvent? Read(TraceEvent one)
    {
        switch (one.EventName)
        {
            case "MemoryStreamCreated" when one.PayloadByName("guid") is Guid id:
                int length = Math.Max(1, Number(one, "actualSize"));
                _lengths[id] = length;
                return new PoolEvent(PoolEventKind.Rented, id.GetHashCode(), length, Pool, 0);
            case "MemoryStreamFinalized":
                _finalizerThread = one.ThreadID;
                return null;
            case "MemoryStreamDisposed" when one.ThreadID == _finalizerThread:
                return null;
            case "MemoryStreamDisposed" or "MemoryStreamDoubleDispose" when one.PayloadByName("guid") is Guid id:
                return new PoolEvent(PoolEventKind.Returned, id.GetHashCode(), _lengths.GetValueOrDefault(id, 1), Pool, 0);
            case "MemoryStreamManagerInitialized":
                _blockSize = Math.Max(1, Number(one, "blockSize"));
                return null;
            case "MemoryStreamNewBlockCreated":
                return new PoolEvent(PoolEventKind.Allocated, 0, _blockSize, Pool, 0);
            case "MemoryStreamNewLargeBufferCreated":
                return new PoolEvent(PoolEventKind.Allocated, 0, Math.Max(1, Number(one, "requiredSize")), Pool, 0);
            case "MemoryStreamNonPooledLargeBufferCreated":
                return new PoolEvent(PoolEventKind.Allocated, 0, Math.Max(1, Number(one, "requiredSize")), Pool, PoolAction.TooLong);
            case "MemoryStreamDiscardBuffer":
                return new PoolEvent(PoolEventKind.Dropped, 0, _blockSize, Pool, 0);
            default:
                return null;
        }
    }

    private static int Number(TraceEvent one, string field) =>
        (int)Math.Clamp(Convert.ToInt64(one.PayloadByName(field) ?? 0L, null), 0, int.MaxValue);
}
