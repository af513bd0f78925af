using System.Diagnostics.Tracing;

namespace Tarn.Integrations.Tests.Payloads;

/// <summary>What a message allocates in the whole process, and how much of it on the large object heap.</summary>
internal readonly record struct AllocatedBytes(long All, long Large)
{
    /// <summary>Runs an action some times to fill the pools, then some times to count, one after the other.</summary>
    internal static async Task<AllocatedBytes> OfAsync(Func<Task> message, int times)
    {
        for (int i = 0; i < 8; i++)
        {
            await message();
        }

        using LargeObjects large = new();
        await large.MarkAsync();
        long seen = large.Bytes;
        long before = GC.GetTotalAllocatedBytes(precise: true);
        for (int i = 0; i < times; i++)
        {
            await message();
        }

        long all = GC.GetTotalAllocatedBytes(precise: true) - before;
        await large.MarkAsync();
        return new AllocatedBytes(all / times, (large.Bytes - seen - LargeObjects.MarkBytes) / times);
    }

    /// <summary>
    /// Adds the sizes of large objects as the runtime reports them. It reports later and from another thread, so an array of a type that
    /// nothing else allocates marks the place up to which all have come.
    /// </summary>
    private sealed class LargeObjects : EventListener
    {
        private const int MarkLength = 100_000;
        private const long Gc = 0x1;
        private int _marks;
        private long _bytes;
        private int _made;

        internal static int MarkBytes => MarkLength * sizeof(decimal);

        internal long Bytes => Volatile.Read(ref _bytes);

        internal async Task MarkAsync()
        {
            GC.KeepAlive(new decimal[MarkLength]);
            _made++;
            for (int i = 0; Volatile.Read(ref _marks) < _made; i++)
            {
                Assert.True(i < 3_000, "The runtime reports no large object.");
                await Task.Delay(10);
            }
        }

        protected override void OnEventSourceCreated(EventSource eventSource)
        {
            if (eventSource.Name == "Microsoft-Windows-DotNETRuntime")
            {
                EnableEvents(eventSource, EventLevel.Verbose, (EventKeywords)Gc);
            }
        }

        protected override void OnEventWritten(EventWrittenEventArgs eventData)
        {
            if (eventData.EventName?.StartsWith("GCAllocationTick", StringComparison.Ordinal) != true
                || Convert.ToInt32(Value("AllocationKind"), System.Globalization.CultureInfo.InvariantCulture) != 1)
            {
                return;
            }

            Interlocked.Add(ref _bytes, Convert.ToInt64(Value("AllocationAmount64"), System.Globalization.CultureInfo.InvariantCulture));
            if (((string?)Value("TypeName"))?.StartsWith("System.Decimal", StringComparison.Ordinal) == true)
            {
                Interlocked.Increment(ref _marks);
            }

            object? Value(string name) => eventData.Payload![eventData.PayloadNames!.IndexOf(name)];
        }
    }
}
