namespace Tarn.Tests.Schedules.Checking;

/// <summary>A step that its thread has begun and not forgotten yet.</summary>
/// <param name="Step">Its number in the program.</param>
internal readonly record struct PendingStep(int Step)
{
    /// <summary>It took effect.</summary>
    internal bool IsDone { get; init; }

    /// <summary>The value read or computed, once the step is done.</summary>
    internal int Result { get; init; }

    /// <summary>Which way a branch was guessed to go before it was decided; null when it was not guessed.</summary>
    internal bool? Guess { get; init; }
}
