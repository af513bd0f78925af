namespace Tarn.Analyzers.Calls;

/// <summary>Specifies what a method of the source does with a builder that it receives by reference.</summary>
internal enum BuilderUse
{
    /// <summary>It calls nothing on the builder that rents.</summary>
    Reads,

    /// <summary>It may let the builder rent, and leaves it to the caller.</summary>
    Grows,
}
