namespace Tarn.Analyzers.Flow;

/// <summary>Where a resource is on a path.</summary>
internal enum ResourceStatus : byte
{
    /// <summary>Not there yet, or nothing is said of it any more.</summary>
    Untracked,

    /// <summary>It came from outside: a parameter or field that somebody else filled.</summary>
    Foreign,

    /// <summary>This method rented it.</summary>
    Rented,

    /// <summary>It was returned, disposed or freed.</summary>
    Returned,

    /// <summary>It was returned before a loop began again, and used since: that is told of, and only a second return is looked for.</summary>
    Misused,

    /// <summary>It became somebody else's, who returns it in his time.</summary>
    Transferred,
}
