using System.Diagnostics.Tracing;
using Microsoft.Diagnostics.NETCore.Client;
using Microsoft.Diagnostics.Tracing;

namespace Tarn.Traces;

/// <summary>Reads the events of <c>System.Buffers.ArrayPoolEventSource</c> from a diagnostics session.</summary>
internal sealed class PoolEvents(int mostEvents)
{
    private const string Source = "System.Buffers.ArrayPoolEventSource";
    private const int Rented = 1;
    private const int Allocated = 2;
    private const int Returned = 3;
    private const int Dropped = 6;

    private readonly RentMatcher _matcher = new();

    internal RentMatcher Matcher => _matcher;

    internal long Lost { get; private set; }

    /// <summary>Whether there are enough events.</summary>
    internal bool IsFull => _matcher.Count >= mostEvents;

    internal static EventPipeSession Start(DiagnosticsClient client, int bufferMegabytes)
    {
        EventPipeProvider[] providers = [new(Source, EventLevel.Verbose)];
        try
        {
            return client.StartEventPipeSession(
                new EventPipeSessionConfiguration(providers, bufferMegabytes, requestRundown: false, requestStackwalk: false));
        }
        catch (UnsupportedCommandException)
        {
            // Before .NET 9 every event includes its stack, which is slower but otherwise the same.
            return client.StartEventPipeSession(providers, requestRundown: false, bufferMegabytes);
        }
    }

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
            if (!IsFull && one.ProviderName == Source)
            {
                if (isFirst)
                {
                    isFirst = false;
                    onFirst();
                }

                Take(one);
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

    private void Take(TraceEvent one)
    {
        long microseconds = (long)(one.TimeStampRelativeMSec * 1_000);
        switch ((int)one.ID)
        {
            case Rented:
                _matcher.Rent(microseconds, one.ThreadID, Number(one, 0), Number(one, 1), Number(one, 2));
                break;
            case Returned:
                _matcher.Return(microseconds, one.ThreadID, Number(one, 0), Number(one, 1), Number(one, 2));
                break;
            case Allocated:
                _matcher.Allocate();
                break;
            case Dropped:
                _matcher.Drop();
                break;
        }
    }

    private static int Number(TraceEvent one, int index) => (int)one.PayloadValue(index);
}
