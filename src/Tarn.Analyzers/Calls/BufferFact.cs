namespace Tarn.Analyzers.Calls;

/// <summary>Specifies what a method did with one buffer, or put in a variable for one, on a path.</summary>
internal enum BufferFact : byte
{
    /// <summary>Nothing, or what is not known.</summary>
    Other,

    /// <summary>It put null in the variable.</summary>
    Null,

    /// <summary>It put a rented buffer in the variable, and keeps it nowhere.</summary>
    Rented,

    /// <summary>It put a new array in the variable.</summary>
    Fresh,

    /// <summary>It kept the buffer, or returned it.</summary>
    Taken,
}
