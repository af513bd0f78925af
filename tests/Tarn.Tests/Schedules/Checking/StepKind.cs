namespace Tarn.Tests.Schedules.Checking;

/// <summary>The kinds of steps of a modelled thread.</summary>
internal enum StepKind
{
    /// <summary>Sets a register to a number.</summary>
    Compute,

    /// <summary>Goes on elsewhere if a number is 0.</summary>
    Branch,

    /// <summary>States a condition on the thread's registers that must hold.</summary>
    Check,

    /// <summary>Reads a location, once its value is the awaited one.</summary>
    Load,

    /// <summary>Writes a location.</summary>
    Store,

    /// <summary>Reads and writes a location in one step, once its value is the awaited one. Fenced on both sides.</summary>
    Exchange,

    /// <summary>The kernel's part of a sleep: notes the sleeper, unless the word has changed. Fenced on both sides.</summary>
    SleepIfUnchanged,

    /// <summary>Goes on when all that another thread has begun is done: its part of a process-wide barrier. Fenced on both sides.</summary>
    FenceOther,
}
