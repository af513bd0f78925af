using System.Collections.Concurrent;
using System.Diagnostics.Tracing;
using System.Runtime.CompilerServices;
using Tarn.Torture.Findings;

namespace Tarn.Torture.Composed;

/// <summary>
/// Hears the rents and returns of one company's pools and heaps. A return must tell the identity that a rent told: the source, the buffer
/// and its size.
/// </summary>
internal sealed class HeardBuffers : EventListener
{
    private const int BufferRented = 1;
    private const int BufferReturned = 3;

    private readonly ConcurrentDictionary<int, string> _sources = [];
    private readonly Dictionary<(int Source, int Buffer, int Size), int> _out = [];
    private readonly List<(int Source, int Size)> _lost = [];
    private readonly Lock _lock = new();
    private string? _finding;

    internal void Follow(BufferPool<byte> pool, string name) => _sources[pool.Core.EventId] = name;

    internal void Follow(NativeHeap heap, string name) => _sources[RuntimeHelpers.GetHashCode(heap)] = name;

    internal void Verify()
    {
        string? finding = Volatile.Read(ref _finding);
        Require.That(finding is null, finding ?? "");
    }

    /// <summary>An array was dropped: nobody will tell its return.</summary>
    internal void NoteLost(BufferPool<byte> pool, int length) => _lost.Add((pool.Core.EventId, length));

    /// <summary>Every rent that was heard has had its return, unless the array was lost.</summary>
    internal void VerifyEnd()
    {
        Verify();
        lock (_lock)
        {
            foreach (((int source, int buffer, int size), int count) in _out)
            {
                Require.That(
                    count == 0 || (count == 1 && _lost.Remove((source, size))),
                    $"The events of {_sources[source]} told {count} rents of the buffer {buffer} of {size}, and no return.");
            }
        }
    }

    /// <inheritdoc/>
    protected override void OnEventSourceCreated(EventSource eventSource)
    {
        if (eventSource.Name == BufferDiagnostics.EventSourceName)
        {
            EnableEvents(eventSource, EventLevel.Verbose);
        }
    }

    /// <inheritdoc/>
    protected override void OnEventWritten(EventWrittenEventArgs eventData)
    {
        if (eventData.EventId is not (BufferRented or BufferReturned)
            || eventData.Payload is not [int buffer, int size, int source, ..] || _sources is null || !_sources.ContainsKey(source))
        {
            return;
        }

        lock (_lock)
        {
            int change = eventData.EventId == BufferRented ? 1 : -1;
            int count = _out.GetValueOrDefault((source, buffer, size)) + change;
            if (count < 0)
            {
                _finding ??= $"The events of {_sources[source]} told the return of the buffer {buffer} of {size}, which no rent told. "
                    + $"Told as rented are {string.Join(", ", _out.Where(static one => one.Value > 0).Select(static one => one.Key))}.";
            }

            _out[(source, buffer, size)] = count;
        }
    }
}
