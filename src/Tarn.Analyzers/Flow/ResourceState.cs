namespace Tarn.Analyzers.Flow;

/// <summary>A resource on a path.</summary>
/// <param name="Status">Where it is.</param>
internal readonly record struct ResourceState(ResourceStatus Status)
{
    /// <summary>Something was written into it, or may have been by code that it was handed to.</summary>
    internal bool IsFilled { get; init; }

    /// <summary>All of it was written, however long it is.</summary>
    internal bool IsFull { get; init; }

    /// <summary>All of it was filled with a value that stands, by choice, behind what is written later.</summary>
    internal bool IsPadded { get; init; }

    /// <summary>What was written into it is a secret.</summary>
    internal bool IsSecret { get; init; }

    internal bool IsReturned => Status == ResourceStatus.Returned;

    /// <summary>Of a returned one: where and how the path came to be one on which it is, an index of <see cref="Origins"/>.</summary>
    internal int Origin { get; init; }

    /// <summary>Of a returned one: a loop began anew since.</summary>
    internal bool HasLooped { get; init; }

    /// <summary>Somebody else may hold it: it was stored, captured, or handed to code that may keep it.</summary>
    internal bool IsEscaped { get; init; }

    /// <summary>A bit for each method that got it to work with, and may have kept it: see <see cref="BorrowerTable"/>.</summary>
    internal ulong Borrowers { get; init; }

    /// <summary>Of a foreign one: the field it stood in got another, and nobody else has it.</summary>
    internal bool IsOrphaned { get; init; }

    /// <summary>Of a foreign one: this method gave it to somebody who may keep it.</summary>
    internal bool IsHandedOver { get; init; }

    /// <summary>Of a foreign one: it is known not to be null.</summary>
    internal bool IsNonNull { get; init; }

    /// <summary>Its contents were cleared.</summary>
    internal bool IsCleared { get; init; }

    /// <summary>An exception ended the wait for work on it: that may go on.</summary>
    internal bool IsInDoubt { get; init; }
}
