namespace Tarn.Tool.Checking;

/// <summary>What can be wrong at a call site.</summary>
internal enum ProblemKind
{
    /// <summary>Rents buffers that do not come back.</summary>
    Lost,

    /// <summary>Returns buffers that were returned before.</summary>
    ReturnedTwice,

    /// <summary>Returns arrays that the pool never handed out.</summary>
    NeverRented,
}
