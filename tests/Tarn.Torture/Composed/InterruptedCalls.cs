using System.Diagnostics.Tracing;
using Tarn.Torture.Findings;

namespace Tarn.Torture.Composed;

/// <summary>
/// A member of an owner is stopped at each of its rents and returns, one after the other, and another thread disposes the owner there. Such
/// a race happens by chance once in thousands; here it happens each time.
/// </summary>
internal sealed class InterruptedCalls(RacedKind kind)
{
    private const int MostCalls = 12;
    private const int MostLateCalls = 3;
    private const int MostPoints = 40;

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30);

    /// <summary>For a disposal that waits for the call.</summary>
    private static readonly TimeSpan s_stop = TimeSpan.FromMilliseconds(100);

    /// <summary>Makes the calls.</summary>
    /// <returns>The number of points at which a call was stopped.</returns>
    /// <exception cref="FindingException">A call threw something else than it may, something was lost, or the disposal hangs.</exception>
    internal int Run()
    {
        int point = 0;
        while (!kind.Waits && point < MostPoints && TryStopAt(point + 1))
        {
            point++;
        }

        return point;
    }

    /// <summary>Stops the calls at a rent or return of theirs. False when they have fewer.</summary>
    private bool TryStopAt(int point)
    {
        using RaceCompany company = new();
        RacedOwner owner = kind.Create(company);
        Task? disposal = null;
        string where = $"{kind.Name}, disposed at its rent or return number {point},";
        using (Stop stop = new(point, () => Task.WaitAny([disposal = Task.Run(owner.Dispose)], s_stop)))
        {
            for (int call = 0; call < MostCalls && disposal is null; call++)
            {
                Make(owner.Call, where);
            }
        }

        bool wasStopped = disposal is not null;
        disposal ??= Task.Run(owner.Dispose);
        Require.That(Task.WaitAny([disposal], s_patience) == 0, $"{where} hangs in the disposal.");
        Require.That(disposal.IsCompletedSuccessfully, $"{where} made the disposal throw {disposal.Exception?.InnerException}");
        bool hasThrown = kind.EndsByItself;
        for (int call = 0; call < MostLateCalls; call++)
        {
            hasThrown |= Make(owner.Call, where);
        }

        Require.That(hasThrown, $"{where} works on afterwards.");
        owner.Dispose();
        owner.VerifyEnd?.Invoke();
        company.Verify(where, races: 1);
        return wasStopped;
    }

    /// <summary>Makes a call; whether it threw that the owner is disposed.</summary>
    private static bool Make(Action call, string where)
    {
        try
        {
            call();
            return false;
        }
        catch (ObjectDisposedException)
        {
            return true;
        }
        catch (Exception e)
        {
            throw new FindingException($"{where} threw {e}", e);
        }
    }

    /// <summary>Acts once, on the thread that made it, within the rent or return of a number.</summary>
    private sealed class Stop(int number, Action act) : EventListener
    {
        private const int BufferRented = 1;
        private const int BufferReturned = 3;

        private readonly int _thread = Environment.CurrentManagedThreadId;
        private int _left = number;

        protected override void OnEventSourceCreated(EventSource eventSource)
        {
            if (eventSource.Name == BufferDiagnostics.EventSourceName)
            {
                EnableEvents(eventSource, EventLevel.Verbose);
            }
        }

        protected override void OnEventWritten(EventWrittenEventArgs eventData)
        {
            if (eventData.EventId is BufferRented or BufferReturned && Environment.CurrentManagedThreadId == _thread && --_left == 0)
            {
                act();
            }
        }
    }
}
