namespace Tarn.Diagnostics;

/// <summary>How a sampled buffer stopped being in use; the values of the event's payload.</summary>
internal enum SampleEnd
{
    /// <summary>It was returned or freed.</summary>
    Returned,

    /// <summary>It is an array that was collected without a return.</summary>
    Lost,

    /// <summary>It is a block whose heap was disposed.</summary>
    Disposed,

    /// <summary>It is still in use, but its return cannot be followed.</summary>
    NotFollowed,
}
