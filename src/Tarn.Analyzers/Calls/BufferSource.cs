namespace Tarn.Analyzers.Calls;

/// <summary>Specifies where a value that a method hands out comes from.</summary>
internal enum BufferSource
{
    /// <summary>That is not known, or other code keeps the value too.</summary>
    Other,

    /// <summary>It is null.</summary>
    Null,

    /// <summary>A pool, and nothing else keeps it.</summary>
    Rented,

    /// <summary>It is a new array, which no pool handed out.</summary>
    Fresh,
}
