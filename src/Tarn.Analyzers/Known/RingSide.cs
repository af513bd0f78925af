namespace Tarn.Analyzers.Known;

/// <summary>Specifies a side of a ring.</summary>
internal enum RingSide
{
    /// <summary>No side.</summary>
    None,

    /// <summary>The side that writes.</summary>
    Writer,

    /// <summary>The side that reads.</summary>
    Reader,
}
