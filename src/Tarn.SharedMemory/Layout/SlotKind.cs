namespace Tarn.SharedMemory;

/// <summary>What is in a slot of a queue.</summary>
internal enum SlotKind
{
    /// <summary>Nothing: a writer may claim it.</summary>
    Free = 0,

    /// <summary>A writer is writing a message.</summary>
    Claimed = 1,

    /// <summary>A message.</summary>
    Published = 2,

    /// <summary>A reader is reading the message.</summary>
    Taken = 3,

    /// <summary>A message that a reader took and did not pass. Another one may take it.</summary>
    Returned = 4,

    /// <summary>No message: the writer gave up, or is gone.</summary>
    Skipped = 5,
}
