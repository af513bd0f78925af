namespace Tarn.Sanitizing.Checking;

/// <summary>
/// The rents whose arrays nothing refers to. They are lost unless a finalizer of the program returns them, for which they wait a while. All
/// members are safe to call from any thread.
/// </summary>
internal sealed class Suspects
{
    /// <summary>A finalizer that is about to return a buffer runs within the same turn of the finalizer thread.</summary>
    private const int TurnsToWait = 2;

    /// <summary>Under its own lock: a concurrent queue goes on referring to what was peeked at.</summary>
    private readonly Queue<(Rental Rental, long Since)> _waiting = new();
    private long _turn;

    internal void Add(Rental rental)
    {
        lock (_waiting)
        {
            _waiting.Enqueue((rental, _turn));
        }
    }

    /// <summary>Takes those that have waited for long enough, once a second; all of them at the end.</summary>
    internal List<Rental> TakeLost(bool isEnd)
    {
        List<Rental> lost = [];
        lock (_waiting)
        {
            long turn = ++_turn;
            while (_waiting.TryPeek(out (Rental Rental, long Since) oldest) && (isEnd || turn - oldest.Since > TurnsToWait))
            {
                _ = _waiting.Dequeue();
                if (!oldest.Rental.IsReturned)
                {
                    lost.Add(oldest.Rental);
                }
            }
        }

        return lost;
    }
}
