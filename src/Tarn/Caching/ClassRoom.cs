namespace Tarn;

/// <summary>How many free buffers of a size class a thread may keep: its room, which doubles when the thread needs more.</summary>
/// <param name="First">The room that a thread gets first.</param>
/// <param name="Guaranteed">The buffers that every thread may keep, whatever the others keep.</param>
/// <param name="BothWays">The most of a thread that rents and returns: a few more than it goes up and down by.</param>
/// <param name="OneWay">
/// The most of a thread that only rents or only returns, which needs no more than makes its visits to the depot cheap.
/// </param>
internal readonly record struct ClassRoom(int First, int Guaranteed, int BothWays, int OneWay)
{
    /// <summary>The room that comes after <paramref name="room"/>; the same if that is the most.</summary>
    internal int After(int room, bool isOneWay) => Math.Max(room, Math.Min(Math.Max(First, 2 * room), isOneWay ? OneWay : BothWays));
}

/// <summary>Which way the buffers of a class go through a thread's cache, as its last slow calls show.</summary>
internal struct ClassFlow
{
    /// <summary>The calls in a row that went the same way and show a thread which only rents, or only returns.</summary>
    private const int OneWayAfter = 2;

    /// <summary>The rents in a row that found no buffer, or less than 0 the returns that found no room.</summary>
    private int _run;

    /// <summary>Notes a rent that found no buffer. Returns whether the thread only rents.</summary>
    internal bool NoteMiss()
    {
        _run = Math.Clamp(_run + 1, 1, OneWayAfter);
        return _run == OneWayAfter;
    }

    /// <summary>Notes a return that found no room. Returns whether the thread only returns.</summary>
    internal bool NoteOverflow()
    {
        _run = Math.Clamp(_run - 1, -OneWayAfter, -1);
        return _run == -OneWayAfter;
    }
}

/// <summary>
/// Which calls of a thread without room of a class need what all threads share alone, and no lock of the thread's section: those that
/// follow a refusal. Only the owner uses it, so it needs no lock.
/// </summary>
internal struct SectionBypass
{
    /// <summary>After a refusal, the calls that bypass the section before one asks for room again.</summary>
    private const int Calls = 15;

    private int _left;

    /// <summary>Whether this call bypasses the section. Counts the call.</summary>
    internal bool Next()
    {
        if (_left == 0)
        {
            return false;
        }

        _left--;
        return true;
    }

    /// <summary>Notes whether a thread without room was refused some.</summary>
    internal void Note(bool isRefused) => _left = isRefused ? Calls : 0;
}
