namespace Tarn.Traces;

/// <summary>The kinds of <see cref="PoolAction"/>.</summary>
public enum PoolActionKind
{
    /// <summary>The pool allocated the buffer of a rent, because it had none.</summary>
    Allocated,

    /// <summary>The pool did not keep a returned buffer.</summary>
    Dropped,

    /// <summary>The pool gave up a free buffer.</summary>
    Trimmed,

    /// <summary>
    /// A buffer was returned whose rent the recording has not seen: it was rented before the recording, or never by this pool.
    /// </summary>
    ReturnedUnseen,

    /// <summary>A buffer was returned that was returned before and not rented since.</summary>
    ReturnedAgain,
}
