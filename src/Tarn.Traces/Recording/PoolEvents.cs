using System.Diagnostics.Tracing;
using Microsoft.Diagnostics.NETCore.Client;
using Microsoft.Diagnostics.Tracing;

namespace Tarn.Traces;

/// <summary>Reads the events of pools from a session.</summary>
internal sealed class PoolEvents(int mostEvents)
{
    private readonly RentMatcher _matcher = new();
    private readonly Dictionary<int, string> _sources = [];

    internal RentMatcher Matcher => _matcher;

    internal PoolEventReader Reader { get; } = new();

    internal long Lost { get; set; }

    /// <summary>The time of the last event, in microseconds since the session began.</summary>
    internal long LastMicroseconds { get; private set; }

    /// <summary>Whether there are enough events.</summary>
    internal bool IsFull => _matcher.Count >= mostEvents || _matcher.IsFull;

    /// <summary>Whether there were more events than are kept.</summary>
    internal bool WasFull { get; private set; }

    /// <summary>The event sources of a recording.</summary>
    internal static EventPipeProvider[] Providers(RecordingDetail detail) => detail switch
    {
        RecordingDetail.Rents => [new(PoolEventReader.ArrayPoolSource, EventLevel.Verbose)],
        RecordingDetail.Pools => [.. PoolEventReader.Providers(EventLevel.Verbose)],
        _ => [.. PoolEventReader.Providers(EventLevel.Verbose), .. InlineMaps.Providers],
    };

    /// <summary>Reads until the session ends.</summary>
    /// <param name="stream">The session's stream.</param>
    /// <param name="onFirst">Called once, at the first event.</param>
    /// <param name="onFull">Called once, when the session should end.</param>
    internal void ReadAll(Stream stream, Action onFirst, Action onFull)
    {
        bool isFirst = true;
        bool wasFull = false;
        using var source = new EventPipeEventSource(stream);
        source.Dynamic.All += one =>
        {
            if (Take(one, stack: 0) && isFirst)
            {
                isFirst = false;
                onFirst();
            }

            if (IsFull && !wasFull)
            {
                wasFull = true;
                onFull();
            }
        };
        source.Process();
        Lost = source.EventsLost;
    }

    /// <summary>Takes an event, unless it is none of a pool or there are enough. Returns whether it was taken.</summary>
    internal bool Take(TraceEvent one, int stack)
    {
        if (!PoolEventReader.IsOfPool(one) || Reader.Read(one) is not { } action)
        {
            return false;
        }

        if (IsFull)
        {
            WasFull = true;
            return false;
        }

        LastMicroseconds = (long)(one.TimeStampRelativeMSec * 1_000);
        _ = _sources.TryAdd(action.Pool, one.ProviderName);
        switch (action.Kind)
        {
            case PoolEventKind.Rented:
                _matcher.Rent(LastMicroseconds, one.ThreadID, action.Buffer, action.Length, action.Pool, stack);
                break;
            case PoolEventKind.Returned:
                _matcher.Return(LastMicroseconds, one.ThreadID, action.Buffer, action.Length, action.Pool, stack);
                break;
            case PoolEventKind.Allocated:
                _matcher.Allocate(LastMicroseconds, one.ThreadID, action.Length, action.Pool, stack, action.Reason);
                break;
            case PoolEventKind.Dropped:
                _matcher.Drop(LastMicroseconds, one.ThreadID, action.Length, action.Pool, stack, action.Reason);
                break;
            case PoolEventKind.Trimmed:
                _matcher.Trim(LastMicroseconds, one.ThreadID, action.Length, action.Pool);
                break;
        }

        return true;
    }

    /// <summary>The pools by their numbers. Called once, after <see cref="RentMatcher.TakeActions"/>, which numbers the last.</summary>
    /// <param name="elements">The element types that are known, by the pools' ids.</param>
    /// <param name="names">The names that are known, by the pools' ids.</param>
    internal IReadOnlyList<TracedPool> DescribePools(
        IReadOnlyDictionary<int, string> elements, IReadOnlyDictionary<int, string> names) =>
        [.. _matcher.Pools.Select(id => new TracedPool(_sources[id], id, ElementOf(id, elements)) { Name = NameOf(id, names) })];

    private string NameOf(int pool, IReadOnlyDictionary<int, string> names) =>
        _sources[pool] == PoolEventReader.TarnSource ? names.GetValueOrDefault(pool, "") : "";

    private string ElementOf(int pool, IReadOnlyDictionary<int, string> elements) =>
        _sources[pool] == StreamEvents.Source ? "System.Byte" : elements.GetValueOrDefault(pool, "");
}
