namespace Tarn;

/// <summary>
/// When something was last used: its owner, who has no clock, notes that it was, and a trimmer notes the time when it sees that.
/// </summary>
/// <remarks>Not synchronized: its owner's lock is held around every call.</remarks>
internal struct LastUse
{
    private bool _wasUsed;
    private TimeSpan _seenAt;

    /// <summary>It is used now. For the owner.</summary>
    internal void Note() => _wasUsed = true;

    /// <summary>Whether it was not seen used for <paramref name="patience"/>; always, when that is null. For trimmers.</summary>
    internal bool IsIdle(TimeSpan now, TimeSpan? patience)
    {
        if (_wasUsed)
        {
            _wasUsed = false;
            _seenAt = now;
        }

        return patience is null || now - _seenAt >= patience;
    }
}
