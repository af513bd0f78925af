namespace Tarn.Analyzers.Flow;

/// <summary>What is known of a value on a path.</summary>
internal enum ValueKind : byte
{
    /// <summary>Nothing.</summary>
    Unknown,

    /// <summary>It is null.</summary>
    Null,

    /// <summary>It is not null, and nothing else is known.</summary>
    NotNull,

    /// <summary>The bool true.</summary>
    True,

    /// <summary>The bool false.</summary>
    False,

    /// <summary>A resource itself: the array, the owner, the block.</summary>
    Whole,

    /// <summary>Memory of a resource: a span, a memory, a segment.</summary>
    Part,

    /// <summary>Something that keeps a part and goes on using it: a stream over an array, an iterator.</summary>
    Holder,

    /// <summary>An object that was made here and holds memory of resources: whoever gets it gets them.</summary>
    Wrapper,

    /// <summary>A task that was started with resources and not awaited.</summary>
    Work,

    /// <summary>An array that no pool knows.</summary>
    Fresh,

    /// <summary>The number of elements that a resource really has.</summary>
    Length,

    /// <summary>Memory of the stack.</summary>
    Stack,
}
