namespace Tarn.Torture.Composed;

/// <summary>What a step of a composed program does.</summary>
internal enum Act
{
    /// <summary>An owner comes into being.</summary>
    Create,

    /// <summary>A call of the owner's kind.</summary>
    Call,

    /// <summary>The owner ends, in one of the ways of its kind.</summary>
    End,

    /// <summary>What waits for bytes is cancelled.</summary>
    Cancel,

    /// <summary>A request ends: its token is cancelled, and its owners are disposed, whatever they wait for.</summary>
    EndRequest,

    /// <summary>Idle memory goes back.</summary>
    Trim,
}
