namespace Tarn.Analyzers.Flow;

/// <summary>Specifies the status of a resource on a path.</summary>
internal enum ResourceStatus : byte
{
    /// <summary>Not there yet, or not followed any further.</summary>
    Untracked,

    /// <summary>It came from outside: a parameter or field that other code filled.</summary>
    Foreign,

    /// <summary>This method rented it.</summary>
    Rented,

    /// <summary>It was returned, disposed or freed.</summary>
    Returned,

    /// <summary>
    /// It was returned before a loop began another turn, and used since: that is reported, and only a second return is still looked for.
    /// </summary>
    Misused,

    /// <summary>It was transferred to other code, which returns it in its time.</summary>
    Transferred,
}
