namespace Tarn.Sanitizing.Checking;

/// <summary>What a program did wrong with a buffer. The names are those of the report.</summary>
internal enum IncidentKind
{
    /// <summary>A buffer was written after its return.</summary>
    WriteAfterReturn,

    /// <summary>A buffer was returned a second time.</summary>
    ReturnedTwice,

    /// <summary>An array was returned that no pool handed out.</summary>
    NeverRented,

    /// <summary>A buffer was returned to another pool than it came from.</summary>
    WrongPool,

    /// <summary>A buffer was collected without a return.</summary>
    Lost,

    /// <summary>A buffer was not returned when the process ended.</summary>
    Held,
}
