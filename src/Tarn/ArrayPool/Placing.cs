namespace Tarn;

/// <summary>
/// The result of an attempt to keep a buffer. It is returned rather than thrown, because an exception's filters would run while locks are
/// held.
/// </summary>
internal enum Placing
{
    /// <summary>The buffer is kept.</summary>
    Kept,

    /// <summary>There is no room under the cap.</summary>
    NoRoom,

    /// <summary>The buffer is the one to be handed out next, so it was already returned. Nothing has changed.</summary>
    ReturnedTwice,
}
