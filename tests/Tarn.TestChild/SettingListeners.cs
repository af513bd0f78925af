using System.Diagnostics.Tracing;

namespace Tarn.TestChild;

/// <summary>
/// Two listeners, one before the first buffer and one after: the notifications they get about the environment's settings.
/// </summary>
internal static class SettingListeners
{
    internal static void Run(string[] arguments)
    {
        using Listener early = new("early");
        BufferPool<byte>.Shared.Return(BufferPool<byte>.Shared.Rent(100));
        using Listener late = new("late");
        BufferPool<byte>.Shared.Return(BufferPool<byte>.Shared.Rent(100_000));
    }

    private sealed class Listener(string name) : EventListener
    {
        protected override void OnEventSourceCreated(EventSource eventSource)
        {
            if (eventSource.Name == BufferDiagnostics.EventSourceName)
            {
                EnableEvents(eventSource, EventLevel.Warning);
            }
        }

        protected override void OnEventWritten(EventWrittenEventArgs eventData) =>
            Console.WriteLine($"{name}: {eventData.EventName}: {eventData.Payload?[0]}");
    }
}
