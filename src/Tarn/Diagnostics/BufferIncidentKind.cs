namespace Tarn.Diagnostics;

/// <summary>The kinds of misuse that checks find.</summary>
public enum BufferIncidentKind
{
    /// <summary>A buffer was dropped without being returned.</summary>
    Leak,

    /// <summary>A buffer was returned a second time.</summary>
    DoubleReturn,

    /// <summary>A buffer was written to after it was returned.</summary>
    UseAfterReturn,

    /// <summary>A buffer was returned to a source that did not hand it out.</summary>
    ForeignReturn,

    /// <summary>A buffer was written past its end.</summary>
    Overrun,
}
