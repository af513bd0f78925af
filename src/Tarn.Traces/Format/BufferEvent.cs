namespace Tarn.Traces;

/// <summary>One rent or one return of a recorded program.</summary>
/// <param name="Microseconds">Time since the first event of the trace; never less than that of the event before.</param>
/// <param name="Thread">Which of the trace's threads did it, counted from 0 in the order they first appear.</param>
/// <param name="Pool">Which of the trace's pools it was, counted from 0 in the order they first appear.</param>
/// <param name="Length">The length of the buffer in elements: what the pool gave, since no event has the requested length.</param>
/// <param name="Rent">For a return, the index of the event that rented the buffer; -1 for a rent.</param>
public readonly record struct BufferEvent(long Microseconds, int Thread, int Pool, int Length, int Rent)
{
    /// <summary>What <see cref="Rent"/> holds in the event of a rent.</summary>
    public const int None = -1;

    /// <summary>Whether a buffer was rented here; otherwise one was returned.</summary>
    public bool IsRent => Rent == None;
}
