namespace Tarn.Analyzers.Flow;

/// <summary>Specifies the known facts about a value on a path.</summary>
internal enum ValueKind : byte
{
    /// <summary>Nothing is known.</summary>
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

    /// <summary>An object that keeps a part and uses it later: a stream over an array, an iterator.</summary>
    Holder,

    /// <summary>A fresh object that wraps memory of resources: code that receives it receives them.</summary>
    Wrapper,

    /// <summary>A task that was started with resources and is not awaited yet.</summary>
    Work,

    /// <summary>A fresh array, which no pool handed out.</summary>
    Fresh,

    /// <summary>The number of elements that a resource really has.</summary>
    Length,

    /// <summary>The result of a call, which tells whether the method has a resource: see <see cref="OutcomeTable"/>.</summary>
    Outcome,

    /// <summary>Memory of the stack.</summary>
    Stack,
}
