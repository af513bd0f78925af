namespace Tarn.Analyzers.Flow;

/// <summary>Describes the state of a resource on a path.</summary>
/// <param name="Status">Its status.</param>
internal readonly record struct ResourceState(ResourceStatus Status)
{
    /// <summary>Gets a value indicating whether something was written to it, or may have been by code that received it.</summary>
    internal bool IsFilled { get; init; }

    /// <summary>Gets a value indicating whether all of it was written, however long it is.</summary>
    internal bool IsFull { get; init; }

    /// <summary>Gets a value indicating whether all of it was filled with a value that deliberately pads later contents.</summary>
    internal bool IsPadded { get; init; }

    internal bool IsReturned => Status == ResourceStatus.Returned;

    /// <summary>Gets a value indicating whether it is returned because a method got it that owns it from then on.</summary>
    internal bool IsTaken { get; init; }

    /// <summary>Gets the origin of the path on which it is returned, an index of <see cref="Origins"/>.</summary>
    internal int Origin { get; init; }

    /// <summary>Gets a value indicating whether a loop began another iteration since it was returned.</summary>
    internal bool HasLooped { get; init; }

    /// <summary>Gets a value indicating whether it escaped: it was stored, captured, or passed to code that may keep it.</summary>
    internal bool IsEscaped { get; init; }

    /// <summary>Gets a value indicating whether a method got it whose result tells if it took it, and nothing asked yet.</summary>
    internal bool IsOffered { get; init; }

    /// <summary>Gets the methods that worked with it and may have kept it, a bit for each: see <see cref="BorrowerTable"/>.</summary>
    internal ulong Borrowers { get; init; }

    /// <summary>Gets a value indicating whether it is foreign and has no owner left, because its field got another buffer.</summary>
    internal bool IsOrphaned { get; init; }

    /// <summary>Gets a value indicating whether this method passed it to code that may keep it.</summary>
    internal bool IsHandedOver { get; init; }

    /// <summary>Gets a value indicating whether it is known not to be null, where it may be.</summary>
    internal bool IsNonNull { get; init; }

    /// <summary>
    /// Gets the number, counted from 1, of the ring that a message lies in; 0 for other buffers, and where the variable with the ring got
    /// another one.
    /// </summary>
    internal int Ring { get; init; }

    /// <summary>Gets a value indicating whether its contents were cleared.</summary>
    internal bool IsCleared { get; init; }

    /// <summary>Gets a value indicating whether an exception ended the wait for work on it, which may continue.</summary>
    internal bool IsInDoubt { get; init; }
}
