namespace Tarn;

/// <summary>
/// What became of a buffer that was to be kept. Returned rather than thrown: an exception's filters would run while locks are held.
/// </summary>
internal enum Placing
{
    /// <summary>It is kept.</summary>
    Kept,

    /// <summary>There is no room under the cap, or not without the section's lock.</summary>
    NoRoom,

    /// <summary>It is the one that would be handed out next, so it was returned before; nothing has changed.</summary>
    ReturnedTwice,
}
