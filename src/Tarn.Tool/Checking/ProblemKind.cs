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

    /// <summary>Returns arrays to another pool than the one they came from.</summary>
    WrongPool,

    /// <summary>Returns buffers that are written to afterwards.</summary>
    WrittenAfterReturn,

    /// <summary>Rents buffers that are not returned when the process ends.</summary>
    Held,
}
