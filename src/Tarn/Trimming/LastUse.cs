namespace Tarn;

/// <summary>
/// When something was last used. Its owner, which has no clock, records a use; a trimmer records the time when it sees one.
/// </summary>
/// <remarks>Not synchronized: callers hold the owner's lock.</remarks>
internal struct LastUse
{
    private bool _wasUsed;
    private TimeSpan _seenAt;

    /// <summary>Notes a use. For the owner.</summary>
    internal void Note() => _wasUsed = true;

    /// <summary>Whether no use was seen for <paramref name="patience"/>; always true when that is null. For trimmers.</summary>
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
