using System.Diagnostics.Tracing;

namespace Tarn.Tests.Diagnostics;

/// <summary>Finds the rent of each return by all that an event tells: the source, the buffer and its length.</summary>
internal sealed class PairListener : EventListener
{
    private readonly Lock _lock = new();
    private readonly Dictionary<(int Source, int Buffer, int Length), int> _out = [];
    private readonly List<string> _strangers = [];
    private readonly HashSet<int> _sources;
    private int _rents;

    /// <param name="sources">The ids of the pools and heaps to listen to.</param>
    internal PairListener(params int[] sources)
    {
        _sources = [.. sources];
        EnableEvents(TarnEventSource.Log!, EventLevel.Verbose);
    }

    /// <summary>The rents heard so far.</summary>
    internal int Rents => Volatile.Read(ref _rents);

    /// <summary>The returns whose rent was not heard, and the rents that no return ended.</summary>
    internal IReadOnlyList<string> Unmatched
    {
        get
        {
            lock (_lock)
            {
                return
                [
                    .. _strangers,
                    .. _out.Where(static one => one.Value != 0)
                        .Select(static one => $"{one.Key.Length} bytes at {one.Key.Buffer:x} of {one.Key.Source}: {one.Value} times out"),
                ];
            }
        }
    }

    protected override void OnEventWritten(EventWrittenEventArgs eventData)
    {
        if (eventData.EventId is not (1 or 3) || eventData.Payload is not [int buffer, int length, int source, ..]
            || !_sources.Contains(source))
        {
            return;
        }

        lock (_lock)
        {
            int count = _out.GetValueOrDefault((source, buffer, length));
            if (eventData.EventId == 1)
            {
                _rents++;
                _out[(source, buffer, length)] = count + 1;
            }
            else if (count == 0)
            {
                _strangers.Add($"{length} bytes at {buffer:x} of {source}: returned and not rented");
            }
            else
            {
                _out[(source, buffer, length)] = count - 1;
            }
        }
    }
}
