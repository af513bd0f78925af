namespace Tarn.Tests.Schedules;

/// <summary>A mistake that a model can be made with, to see that the search finds it.</summary>
public enum PlantedFault
{
    /// <summary>The model is of the code as it is.</summary>
    None,

    /// <summary>A trimmer nulls the top slot without fencing every processor first.</summary>
    TopWithoutFence,

    /// <summary>A return fills the top slot and does not look again whether the magazine is still there.</summary>
    TopWithoutRecheck,

    /// <summary>A trimmer nulls the top slot before it takes the magazine out of reach.</summary>
    TopBeforeMagazine,

    /// <summary>An owner that comes back between the fence and the top slot's end does not withdraw the revocation.</summary>
    RevocationStands,

    /// <summary>A trimmer hands on a buffer of a magazine that it has parked.</summary>
    HandOnParked,

    /// <summary>An owner takes its magazine back without the section's lock.</summary>
    TakeBackWithoutLock,

    /// <summary>The lock of a depot is let go by a plain store.</summary>
    PlainExit,

    /// <summary>A depot's top is read before the lock is taken, and believed.</summary>
    TopBeforeLock,

    /// <summary>A reader passes a record before it has copied it.</summary>
    PassBeforeCopy,

    /// <summary>A writer publishes a record before it has written its length.</summary>
    PublishBeforeLength,

    /// <summary>A reader passes a record by a plain store.</summary>
    PlainPass,

    /// <summary>A writer publishes a record by a plain store.</summary>
    PlainPublish,

    /// <summary>A reader reads the write position by a plain load.</summary>
    PlainLimit,

    /// <summary>A sleeper notes that it sleeps after it has looked for the last time, instead of before.</summary>
    NoteAfterLook,

    /// <summary>A sleeper reads the word it sleeps on after it has looked for the last time.</summary>
    SignalAfterLook,

    /// <summary>The waker clears the sleeper's note after the wake, instead of before.</summary>
    ClearAfterWake,

    /// <summary>The waker changes the word after the wake, instead of before.</summary>
    SignalAfterWake,

    /// <summary>A position is published by a volatile write, which is no fence, before the look for a sleeper.</summary>
    VolatilePublish,

    /// <summary>A sleeper notes that it sleeps by a volatile write, which is no fence, before its last look.</summary>
    VolatileNote,

    /// <summary>Closing does not fence between its note and its check for calls inside.</summary>
    CloseWithoutFence,

    /// <summary>Closing wakes no sleeper.</summary>
    CloseWithoutWake,

    /// <summary>A call notes that it is over by a plain store.</summary>
    PlainLeave,

    /// <summary>A sleeper does not look whether the ring closes.</summary>
    SleepThroughClosing,

    /// <summary>A wait is added to a waiting thread after the thread is woken for it, instead of before.</summary>
    WakeBeforeAddition,

    /// <summary>A waiting thread reads its own word after it took the waits that were added, instead of before.</summary>
    SeenAfterTaking,

    /// <summary>A trimmer takes blocks of a parked native magazine without a fence after it was parked.</summary>
    TakeParkedWithoutFence,

    /// <summary>A trimmer takes all blocks of a parked native magazine, not all but one.</summary>
    TakeParkedWhole,

    /// <summary>Whoever ends a heap releases it, whether or not another thread does.</summary>
    ReleaseTwice,

    /// <summary>A heap's index becomes free before every directory has lost the heap's section.</summary>
    IndexBeforeDirectory,

    /// <summary>The calls of an ended heap still go to its slot when the slot may be another heap's.</summary>
    SlotAfterIndex,

    /// <summary>A biased lock is taken from its owner without a fence before the look whether the owner is inside.</summary>
    RevokeWithoutFence,

    /// <summary>A biased lock is taken from its owner, who may still be inside.</summary>
    RevokeWithoutWait,

    /// <summary>The owner of a biased lock does not look again after it noted that it is inside.</summary>
    EnterWithoutSecondLook,

    /// <summary>The owner of a biased lock leaves it by a plain store.</summary>
    PlainOwnerExit,

    /// <summary>A reader of a counted buffer looks at its token before it reads the array.</summary>
    TokenBeforeArray,

    /// <summary>A table gets another buffer by a plain store.</summary>
    PlainArray,

    /// <summary>Memory is moved although it is pinned.</summary>
    HoldPinned,

    /// <summary>A pin does not wait while the memory is moved.</summary>
    PinDuringMove,

    /// <summary>The address is read before the pin.</summary>
    PointerBeforePin,

    /// <summary>A disposal frees memory that another thread moves.</summary>
    FreeDuringMove,

    /// <summary>Whoever moved memory does not look whether it was disposed meanwhile.</summary>
    ForgetDisposal,

    /// <summary>A writer publishes a message of a queue before it has written it.</summary>
    PublishBeforeMessage,

    /// <summary>A writer publishes a message of a queue by a plain store.</summary>
    PlainSlotPublish,

    /// <summary>A reader passes a message of a queue before it has copied it.</summary>
    PassBeforeSlotCopy,

    /// <summary>A reader passes a message of a queue by a plain store.</summary>
    PlainSlotPass,

    /// <summary>A writer claims a slot that it saw free without looking again.</summary>
    ClaimWithoutCompare,

    /// <summary>A reader takes a message that it saw without looking again.</summary>
    TakeWithoutCompare,

    /// <summary>A reader believes a length without looking whether the message is still there.</summary>
    LengthWithoutLook,

    /// <summary>Whoever finds a member of a queue gone ends what it left without taking its role.</summary>
    EndWithoutRole,

    /// <summary>Readers are told of a message that was returned before it is.</summary>
    TellBeforeReturn,

    /// <summary>Readers are told of messages that were returned only by who returned one.</summary>
    TellOnlyOwnReturns,

    /// <summary>A sleeper that wakes clears the note of all that sleep on the word.</summary>
    ClearForOthers,

    /// <summary>A writer publishes the version of a shared value before the value.</summary>
    VersionBeforeValue,

    /// <summary>A writer publishes a version by a store that is no fence before the stores of the next value.</summary>
    PlainVersion,

    /// <summary>A reader of a shared value does not look whether the writer came round.</summary>
    ReadWithoutSecondLook,

    /// <summary>A reader of a shared value looks at the version again without a fence after the value.</summary>
    ReadWithoutFence,

    /// <summary>A topic's writer announces after a message, not before it, that it may overwrite another.</summary>
    AnnounceAfterMessage,

    /// <summary>A topic's writer announces by a store that is no fence before the stores of the message.</summary>
    VolatileAnnouncement,

    /// <summary>A topic's writer publishes a message before it has written it.</summary>
    TailBeforeMessage,

    /// <summary>A reader of a topic does not look after its copy whether the message may have been overwritten.</summary>
    ReadWithoutLastLook,

    /// <summary>A reader of a topic looks without a fence after its copy.</summary>
    LookWithoutFence,

    /// <summary>A topic's writer looks for readers that hold it back before it announces how far it may write.</summary>
    AnnounceAfterLook,

    /// <summary>A topic's writer announces by a store that is no fence before it looks for readers that hold it back.</summary>
    AnnounceWithoutFence,

    /// <summary>A reader that comes to hold the writer back does not look how far it may write already.</summary>
    HoldWithoutLook,

    /// <summary>A reader that comes to hold the writer back notes that by a store that is no fence before its look.</summary>
    HoldWithoutFence,

    /// <summary>A reader that holds the writer back passes a message before it has copied it.</summary>
    PassBeforeTopicCopy,

    /// <summary>Whoever finds a reader gone that held the writer back ends that without taking its role.</summary>
    EndHolderWithoutRole,

    /// <summary>Whoever ends what a reader left gives its role up before that.</summary>
    LeaveBeforeEnd,

    /// <summary>A reader passes a message by a volatile write, which is no fence, before the look for a writer that sleeps.</summary>
    VolatilePass,

    /// <summary>A thread looks whether the heap is awake before it keeps a buffer, and not afterwards.</summary>
    LookBeforeKeep,

    /// <summary>A tick puts the heap to sleep and looks a last time, with no fence of the other processors between.</summary>
    SleepWithoutFence,
}
