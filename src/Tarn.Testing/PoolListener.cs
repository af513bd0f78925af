using System.Diagnostics;
using System.Diagnostics.Tracing;

namespace Tarn.Testing;

/// <summary>Hears the rents and returns of all pools of the process while a scope is open.</summary>
/// <remarks>
/// Events arrive on the thread that rents, within the call. So the flow that rents is the current one, and its stack is the rent's.
/// </remarks>
internal sealed class PoolListener : EventListener
{
    private const string BasePools = "System.Buffers.ArrayPoolEventSource";
    private const string TarnPools = "Tarn";

    /// <summary>The events of both sources: their numbers are the same.</summary>
    private const int BufferRented = 1;
    private const int BufferReturned = 3;

    /// <summary>Events that Tarn alone has.</summary>
    private const int StreamCreated = 8;
    private const int StreamDisposed = 9;

    private readonly Lock _lock = new();
    private readonly List<EventSource> _sources = [];
    private int _scopes;
    private long _order;

    internal static PoolListener Shared { get; } = new();

    internal RentTable Rents { get; } = new();

    /// <summary>Begins to listen with the first open scope.</summary>
    internal void Open()
    {
        lock (_lock)
        {
            if (_scopes++ == 0)
            {
                AppDomain.CurrentDomain.FirstChanceException += LeavingException.Note;
                _sources.ForEach(Enable);
            }
        }
    }

    /// <summary>Ceases to listen with the last open scope.</summary>
    internal void Close()
    {
        lock (_lock)
        {
            if (--_scopes == 0)
            {
                AppDomain.CurrentDomain.FirstChanceException -= LeavingException.Note;
                _sources.ForEach(DisableEvents);
            }
        }
    }

    /// <inheritdoc/>
    protected override void OnEventSourceCreated(EventSource eventSource)
    {
        if (eventSource.Name is not (BasePools or TarnPools))
        {
            return;
        }

        // The base class calls this from its constructor for sources that exist already. The fields are set by then.
        lock (_lock)
        {
            _sources.Add(eventSource);
            if (_scopes > 0)
            {
                Enable(eventSource);
            }
        }
    }

    /// <inheritdoc/>
    protected override void OnEventWritten(EventWrittenEventArgs eventData)
    {
        if (!Inside.IsTrue && eventData.Payload is { Count: > 0 } payload)
        {
            Inside.Run(() => Note(eventData.EventSource.Name, eventData.EventId, payload));
        }
    }

    private void Note(string source, int number, IReadOnlyList<object?> payload)
    {
        switch (number)
        {
            case BufferRented when payload is [int buffer, int length, int pool, ..]:
                Add(new RentKey(source, pool, buffer, length, IsStream: false));
                break;
            case BufferReturned when payload is [int buffer, int length, int pool, ..]:
                Rents.Remove(new RentKey(source, pool, buffer, length, IsStream: false));
                break;
            case StreamCreated when source == TarnPools && payload is [int stream, ..]:
                Add(new RentKey(source, 0, stream, 0, IsStream: true));
                break;
            case StreamDisposed when source == TarnPools && payload is [int stream, ..]:
                Rents.Remove(new RentKey(source, 0, stream, 0, IsStream: true));
                break;
        }
    }

    private void Add(RentKey key)
    {
        if (BufferScope.Current is { IsFollowed: true } scope)
        {
            scope.Count();
            Rents.Add(key, new Rent(scope, key.IsStream, key.Length, Interlocked.Increment(ref _order), new StackTrace()));
        }
    }

    private void Enable(EventSource source) => EnableEvents(source, EventLevel.Verbose);
}
