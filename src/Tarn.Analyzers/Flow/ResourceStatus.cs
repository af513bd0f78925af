namespace Tarn.Analyzers.Flow;

/// <summary>Specifies the status of a resource on a path.</summary>
internal enum ResourceStatus : byte
{
    /// <summary>Not rented or seen yet, or no longer followed.</summary>
    Untracked,

    /// <summary>It came from outside: a parameter or field that other code filled.</summary>
    Foreign,

    /// <summary>This method rented it.</summary>
    Rented,

    /// <summary>It was returned, disposed or freed.</summary>
    Returned,

    /// <summary>
    /// It was returned before a loop began another iteration, and used since. That use is reported, and from then on only a second return
    /// is a finding.
    /// </summary>
    Misused,

    /// <summary>It was transferred to other code, which returns it later.</summary>
    Transferred,
}
