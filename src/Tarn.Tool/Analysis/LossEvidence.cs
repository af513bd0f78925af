namespace Tarn.Tool.Analysis;

/// <summary>Why unreturned buffers of a call site count as lost rather than held.</summary>
internal enum LossEvidence
{
    /// <summary>Nothing speaks for a loss: the buffers are held.</summary>
    None,

    /// <summary>
    /// The site returns others. These are out for more than twice the longest time that it held any of them, but they do not grow in
    /// number.
    /// </summary>
    Overdue,

    /// <summary>In a phase of the recording the site rented buffers that did not come back, and none came back at all.</summary>
    NoneReturnedOfPhase,

    /// <summary>Throughout the recording the site rented buffers that did not come back, and none came back at all.</summary>
    NoneReturned,

    /// <summary>The same, and the process ended without returning them.</summary>
    NoneReturnedToTheEnd,

    /// <summary>
    /// In a phase of the recording some of the site's buffers came back and others did not. The process ended without returning them.
    /// </summary>
    GrowingInPhase,

    /// <summary>Throughout the recording some of the site's buffers came back and others did not, for more than twice as long.</summary>
    Growing,
}
