using System.Collections.Concurrent;

namespace Tarn.Sanitizing.Checking;

/// <summary>
/// The rents whose arrays nothing refers to. They are lost unless a finalizer of the program returns them, for which they wait a while. All
/// members are safe to call from any thread.
/// </summary>
internal sealed class Suspects
{
    /// <summary>A finalizer that is about to return a buffer runs within the same turn of the finalizer thread.</summary>
    private const int TurnsToWait = 2;

    private readonly ConcurrentQueue<(Rental Rental, long Since)> _waiting = new();
    private long _turn;

    internal void Add(Rental rental) => _waiting.Enqueue((rental, Volatile.Read(ref _turn)));

    /// <summary>Takes those that have waited for long enough, once a second; all of them at the end.</summary>
    internal IEnumerable<Rental> TakeLost(bool isEnd)
    {
        long turn = Interlocked.Increment(ref _turn);
        while (_waiting.TryPeek(out (Rental Rental, long Since) oldest) && (isEnd || turn - oldest.Since > TurnsToWait)
            && _waiting.TryDequeue(out oldest))
        {
            if (!oldest.Rental.IsReturned)
            {
                yield return oldest.Rental;
            }
        }
    }
}
