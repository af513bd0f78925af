namespace Tarn.Analyzers.Flow;

/// <summary>Specifies the kinds of misuse that show on the paths of one method.</summary>
internal enum FindingKind
{
    /// <summary>Returned twice.</summary>
    DoubleReturn,

    /// <summary>Returned twice if another rent throws.</summary>
    DoubleReturnIfRentThrows,

    /// <summary>Returned, and still in the caller's variable that it came from.</summary>
    LeftInCallersVariable,

    /// <summary>Returned, and still in the caller's variable that it came from if another rent throws.</summary>
    LeftInCallersVariableIfRentThrows,

    /// <summary>Used after it was returned.</summary>
    UseAfterReturn,

    /// <summary>Returned to the pool, and also escaped.</summary>
    Escape,

    /// <summary>Memory of an owner escapes, and the owner is disposed.</summary>
    PartOutlivesOwner,

    /// <summary>Returned while a task still uses it.</summary>
    ReturnedWhileInUse,

    /// <summary>The whole array is used where the requested length was meant.</summary>
    Oversized,

    /// <summary>The length of an array is used where the requested length may have been meant.</summary>
    OversizedLength,

    /// <summary>Returned to a pool that did not rent it.</summary>
    WrongPool,

    /// <summary>Returned without a rent.</summary>
    NotRented,

    /// <summary>Returned without a rent on one path, and rented on another.</summary>
    NotRentedOnSomePath,

    /// <summary>Returned with references in it.</summary>
    ReferencesUncleared,

    /// <summary>Not returned on a normal path; the collector frees it.</summary>
    NotReturned,

    /// <summary>Not returned on a normal path by a builder, which may not have rented there at all.</summary>
    BuilderNotReturned,

    /// <summary>Returned on no path at all; the collector frees it.</summary>
    NeverReturned,

    /// <summary>Not returned on a normal path, and no collector frees it: native or shared memory.</summary>
    NotFreed,

    /// <summary>Returned in a finally block after a wait that may end before the work that writes.</summary>
    ReturnedInFinally,
}
