using System.Diagnostics.Tracing;

namespace Tarn.TestChild;

/// <summary>
/// A listener attaches while the first pools are made, and its callbacks rent from the shared pool themselves: a process in which any
/// of this waits for a static constructor would never end.
/// </summary>
internal static class ListenerAtStart
{
    internal static void Run(string[] arguments)
    {
        // The runtime's first timer makes an event source of its own in a static constructor; that one may not be ours to wait for.
        using (Timer first = new(static _ => { }, null, 1, Timeout.Infinite))
        {
        }

        using Barrier start = new(4);
        List<Thread> threads =
        [
            Start(start, static () => BufferPool<byte>.Shared.Return(BufferPool<byte>.Shared.Rent(100))),
            Start(start, static () => BufferPool<char>.Shared.Return(BufferPool<char>.Shared.Rent(100))),
            Start(start, static () => BufferPool<long>.Create().Rent(100)),
        ];

        start.SignalAndWait();
        using RentingListener listener = new();
        threads.ForEach(static thread => thread.Join());

        // Whatever the order was, from here on the listener hears every buffer.
        int before = listener.Rented;
        BufferPool<byte>.Shared.Return(BufferPool<byte>.Shared.Rent(100));
        Console.WriteLine($"heard={listener.Rented > before}");
        int sources = EventSource.GetSources().Count(static source => source.Name == BufferDiagnostics.EventSourceName);
        Console.WriteLine($"sources={sources}");
    }

    private static Thread Start(Barrier start, Action run)
    {
        Thread thread = new(() =>
        {
            start.SignalAndWait();
            run();
        });
        thread.Start();
        return thread;
    }

    private sealed class RentingListener : EventListener
    {
        [ThreadStatic]
        private static bool t_renting;

        private int _rented;

        internal int Rented => Volatile.Read(ref _rented);

        protected override void OnEventSourceCreated(EventSource eventSource)
        {
            RentAndReturn();
            if (eventSource.Name == BufferDiagnostics.EventSourceName)
            {
                EnableEvents(eventSource, EventLevel.Verbose);
            }
        }

        protected override void OnEventWritten(EventWrittenEventArgs eventData)
        {
            if (eventData.EventSource.Name == BufferDiagnostics.EventSourceName && eventData.EventId == 1)
            {
                Interlocked.Increment(ref _rented);
            }

            RentAndReturn();
        }

        private static void RentAndReturn()
        {
            if (!t_renting)
            {
                t_renting = true;
                BufferPool<byte>.Shared.Return(BufferPool<byte>.Shared.Rent(50));
                t_renting = false;
            }
        }
    }
}
