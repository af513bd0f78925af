using System.Diagnostics.CodeAnalysis;
using System.Diagnostics.Tracing;

namespace Tarn.Diagnostics;

/// <summary>
/// The events of every pool, with the ids, levels and payloads of <c>System.Buffers.ArrayPoolEventSource</c>, so that tools and habits
/// carry over; events from 7 on are Tarn's own. Heaps send events 1 and 3, with the block's address in place of the hash code, and its
/// usable size in both: a free by the address alone knows no other. A resized block is told as returned and rented.
/// <c>poolId</c> is the hash code of the pool or heap, as in the BCL; <see cref="BufferSourceSnapshot.Id"/> maps it to a name.
/// </summary>
/// <remarks>
/// The first buffer that any pool or heap allocates creates it, not the first pool. The shared pools are created in a static constructor.
/// An event source created there waits for a listener that is just attaching; if the listener's callback uses the shared pool, it waits for
/// the static constructor (dotnet/runtime issue 119014). For the same reason no thread waits while another creates it. Two of them must
/// never exist, not even briefly: the runtime refuses a listener that attaches while it knows two sources of one name. No hot path tests
/// whether it is enabled: while a listener receives every rent and return, pools send all calls along their slow path. The base class
/// throws where it has no memory to describe an event that failed. A rent, a return or a disposal then drops its event: its caller would
/// lose the buffer.
/// </remarks>
[EventSource(Name = BufferDiagnostics.EventSourceName)]
internal sealed partial class TarnEventSource : EventSource
{
    private const string Primitives = "Only numbers and strings are written, which need no reflection.";

    private static TarnEventSource? s_log;
    private static int s_isBeingCreated;

    private TarnEventSource()
    {
    }

    /// <summary>
    /// The only event source, created on first use. Null while it is being created, by another thread or by a caller of this one: no
    /// listener hears events of that time.
    /// </summary>
    internal static TarnEventSource? Log => Volatile.Read(ref s_log) ?? TryCreate();

    /// <summary>Whether a listener receives anything. Creates the event source, as <see cref="Log"/> does.</summary>
    internal static bool IsHeard => Log is { } log && log.IsEnabled();

    /// <summary>
    /// Whether a listener receives anything already. It never creates the event source, which calls listeners, so finalizers may read it.
    /// </summary>
    internal static bool IsHeardAlready => Volatile.Read(ref s_log)?.IsEnabled() ?? false;

    /// <summary>Why a pool allocated; the values of the BCL's event.</summary>
    internal enum AllocationReason
    {
        /// <summary>The pool has had no buffer of this size class yet.</summary>
        Pooled,

        /// <summary>The buffer is longer than the pool keeps.</summary>
        OverMaximumSize,

        /// <summary>All buffers of the pool are in use.</summary>
        PoolExhausted,
    }

    /// <summary>Why a pool did not keep a returned buffer; the values of the BCL's event.</summary>
    internal enum DropReason
    {
        /// <summary>The cap on retained bytes is reached.</summary>
        Full,

        /// <summary>The buffer is longer than the pool keeps.</summary>
        OverMaximumSize,
    }

    /// <summary>Whether a listener receives every rent and return.</summary>
    internal static bool IsTracing => Volatile.Read(ref s_log)?.IsEnabled(EventLevel.Verbose, EventKeywords.None) ?? false;

    /// <summary>Whether a listener receives samples.</summary>
    internal static bool IsSampling => Volatile.Read(ref s_log)?.IsEnabled(EventLevel.Informational, Keywords.Sampling) ?? false;

    [Event(1, Level = EventLevel.Verbose)]
    internal unsafe void BufferRented(int bufferId, int bufferSize, int poolId, int bucketId)
    {
        EventData* data = stackalloc EventData[4];
        Set(data, 0, &bufferId, sizeof(int));
        Set(data, 1, &bufferSize, sizeof(int));
        Set(data, 2, &poolId, sizeof(int));
        Set(data, 3, &bucketId, sizeof(int));
        WriteOrDrop(1, 4, data);
    }

    [Event(2, Level = EventLevel.Informational)]
    internal unsafe void BufferAllocated(int bufferId, int bufferSize, int poolId, int bucketId, AllocationReason reason)
    {
        EventData* data = stackalloc EventData[5];
        Set(data, 0, &bufferId, sizeof(int));
        Set(data, 1, &bufferSize, sizeof(int));
        Set(data, 2, &poolId, sizeof(int));
        Set(data, 3, &bucketId, sizeof(int));
        Set(data, 4, &reason, sizeof(int));
        WriteOrDrop(2, 5, data);
    }

    [Event(3, Level = EventLevel.Verbose)]
    internal void BufferReturned(int bufferId, int bufferSize, int poolId)
    {
        try
        {
            WriteEvent(3, bufferId, bufferSize, poolId);
        }
        catch (OutOfMemoryException)
        {
        }
    }

    [Event(4, Level = EventLevel.Informational)]
    internal void BufferTrimmed(int bufferId, int bufferSize, int poolId)
    {
        try
        {
            WriteEvent(4, bufferId, bufferSize, poolId);
        }
        catch (OutOfMemoryException)
        {
        }
    }

    [Event(5, Level = EventLevel.Informational)]
    internal void BufferTrimPoll(int milliseconds, int pressure) => WriteEvent(5, milliseconds, pressure);

    [Event(6, Level = EventLevel.Informational)]
    internal unsafe void BufferDropped(int bufferId, int bufferSize, int poolId, int bucketId, DropReason reason)
    {
        EventData* data = stackalloc EventData[5];
        Set(data, 0, &bufferId, sizeof(int));
        Set(data, 1, &bufferSize, sizeof(int));
        Set(data, 2, &poolId, sizeof(int));
        Set(data, 3, &bucketId, sizeof(int));
        Set(data, 4, &reason, sizeof(int));
        WriteOrDrop(6, 5, data);
    }

    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = Primitives)]
    [Event(7, Level = EventLevel.Warning)]
    internal unsafe void Incident(string kind, string source, string rentedAt, string returnedAt)
    {
        fixed (char* kindText = kind, sourceText = source, rentedText = rentedAt, returnedText = returnedAt)
        {
            EventData* data = stackalloc EventData[4];
            SetText(data, 0, kindText, kind.Length);
            SetText(data, 1, sourceText, source.Length);
            SetText(data, 2, rentedText, rentedAt.Length);
            SetText(data, 3, returnedText, returnedAt.Length);
            WriteEventCore(7, 4, data);
        }
    }

    [Event(8, Level = EventLevel.Verbose, Version = 1)]
    internal void StreamCreated(int streamId, string tag) => WriteEvent(8, streamId, tag);

    [Event(9, Level = EventLevel.Verbose)]
    internal unsafe void StreamDisposed(int streamId, long length)
    {
        EventData* data = stackalloc EventData[2];
        Set(data, 0, &streamId, sizeof(int));
        Set(data, 1, &length, sizeof(long));
        WriteOrDrop(9, 2, data);
    }

    /// <summary>
    /// Reports that all or part of an environment setting was not understood. The message names it and the resulting setting.
    /// </summary>
    [Event(10, Level = EventLevel.Warning)]
    internal void SettingIgnored(string message) => WriteEvent(10, message);

    /// <summary>
    /// A rent that was sampled, while sampling is on: <paramref name="weight"/> is the number of rents it stands for. The event's stack is
    /// that of the rent.
    /// </summary>
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = Primitives)]
    [Event(11, Level = EventLevel.Informational, Keywords = Keywords.Sampling)]
    internal unsafe void BufferSampled(long sampleId, int poolId, long bufferSize, long requestedSize, double weight)
    {
        EventData* data = stackalloc EventData[5];
        Set(data, 0, &sampleId, sizeof(long));
        Set(data, 1, &poolId, sizeof(int));
        Set(data, 2, &bufferSize, sizeof(long));
        Set(data, 3, &requestedSize, sizeof(long));
        Set(data, 4, &weight, sizeof(double));
        WriteEventCore(11, 5, data);
    }

    /// <summary>The end of a sampled rent, and how long its buffer was out.</summary>
    [Event(12, Level = EventLevel.Informational, Keywords = Keywords.Sampling)]
    internal unsafe void SampledBufferEnded(long sampleId, SampleEnd reason, long heldMicroseconds)
    {
        EventData* data = stackalloc EventData[3];
        Set(data, 0, &sampleId, sizeof(long));
        Set(data, 1, &reason, sizeof(int));
        Set(data, 2, &heldMicroseconds, sizeof(long));
        WriteOrDrop(12, 3, data);
    }

    /// <summary>A request to a budget has waited long. It comes once, until no request waits that long.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = Primitives)]
    [Event(18, Level = EventLevel.Warning)]
    internal unsafe void BudgetWaitIsLong(string name, long limit, long inUse, int waiting, long oldestWait)
    {
        fixed (char* nameText = name)
        {
            EventData* data = stackalloc EventData[5];
            SetText(data, 0, nameText, name.Length);
            Set(data, 1, &limit, sizeof(long));
            Set(data, 2, &inUse, sizeof(long));
            Set(data, 3, &waiting, sizeof(int));
            Set(data, 4, &oldestWait, sizeof(long));
            WriteEventCore(18, 5, data);
        }
    }

    /// <summary>Writes event 11 for <paramref name="sample"/>.</summary>
    [NonEvent]
    internal void BufferSampled(Sample sample, int poolId, long requestedSize)
    {
        if (IsSampling)
        {
            BufferSampled(sample.Number, poolId, sample.Site.Key.Bytes, requestedSize, sample.Weight);
        }
    }

    /// <summary>Writes event 12 for <paramref name="sample"/>.</summary>
    [NonEvent]
    internal void SampledBufferEnded(Sample sample, SampleEnd reason, TimeSpan held)
    {
        if (IsSampling)
        {
            SampledBufferEnded(sample.Number, reason, (long)held.TotalMicroseconds);
        }
    }

    /// <summary>Writes event 7 for <paramref name="incident"/>.</summary>
    [NonEvent]
    internal void Incident(BufferIncident incident)
    {
        if (IsEnabled(EventLevel.Warning, EventKeywords.None))
        {
            Incident(incident.Kind.ToString(), incident.SourceName, incident.RentedAt ?? "", incident.ReturnedAt ?? "");
        }
    }

    /// <inheritdoc/>
    protected override void OnEventCommand(EventCommandEventArgs command)
    {
        BufferSources.UpdateTracing();
        if (command.Command == EventCommand.Disable && !IsEnabled())
        {
            BufferSampling.StopForListeners();
        }
        else if (command.Command == EventCommand.Enable)
        {
            string? sampling = BufferSampling.StartFor(command.Arguments);
            string? report = ListenerReports.StartFor(command.Arguments);

            // Each listener receives it, because the first one may attach long after the settings were read.
            foreach (string? complaint in (ReadOnlySpan<string?>)[
                BufferChecksEnvironment.Complaint, SamplingEnvironment.Complaint, sampling, report])
            {
                if (complaint is not null)
                {
                    SettingIgnored(complaint);
                }
            }
        }
    }

    /// <summary>Writes an event, or drops it if there is no memory: its caller would lose a buffer.</summary>
    [NonEvent]
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = Primitives)]
    private unsafe void WriteOrDrop(int id, int count, EventData* data)
    {
        try
        {
            WriteEventCore(id, count, data);
        }
        catch (OutOfMemoryException)
        {
        }
    }

    private static TarnEventSource? TryCreate()
    {
        if (Interlocked.Exchange(ref s_isBeingCreated, 1) != 0)
        {
            return Volatile.Read(ref s_log);
        }

        try
        {
            Volatile.Write(ref s_log, new TarnEventSource());
        }
        catch (OutOfMemoryException)
        {
            // The caller has a buffer in its hands. The next event tries again.
            Volatile.Write(ref s_isBeingCreated, 0);
            return null;
        }
        catch
        {
            Volatile.Write(ref s_isBeingCreated, 0);
            throw;
        }

        // Handle commands that arrived during construction, before this instance could be found.
        BufferSources.UpdateTracing();
        TarnMeter.EnsureCreated();
        return s_log;
    }

    [NonEvent]
    private static unsafe void Set(EventData* data, int index, void* value, int size)
    {
        data[index].DataPointer = (nint)value;
        data[index].Size = size;
    }

    [NonEvent]
    private static unsafe void SetText(EventData* data, int index, char* text, int length) =>
        Set(data, index, text, (length + 1) * sizeof(char));

    /// <summary>The parts of the events that a listener can choose. The other events have no keyword.</summary>
    [SuppressMessage("Design", "CA1034", Justification = "The base class finds keywords in a nested class of this name.")]
    public static class Keywords
    {
        /// <summary>
        /// Sampled rents and their ends. The keyword does not turn sampling on; the argument <c>SampleInterval</c> does, with a mean number
        /// of bytes, and sampling then ends with the last listener.
        /// </summary>
        public const EventKeywords Sampling = (EventKeywords)1;

        /// <summary>Reports that a listener asked for with the arguments that <see cref="ListenerReports"/> reads.</summary>
        public const EventKeywords Reports = (EventKeywords)2;
    }
}
