namespace Tarn;

/// <summary>Why a budget refused bytes, for the exception.</summary>
internal readonly struct BudgetRefusal
{
    /// <summary>The budget that was asked.</summary>
    internal required BufferBudget Origin { get; init; }

    /// <summary>The budget that has no room.</summary>
    internal required string BudgetName { get; init; }

    internal required long Limit { get; init; }

    internal required long InUse { get; init; }

    /// <summary>The requests that wait for that budget.</summary>
    internal required int Waiting { get; init; }

    internal required long Asked { get; init; }

    /// <summary>The bytes that the owner holds already.</summary>
    internal required long Held { get; init; }

    /// <summary>How long the call waited for room.</summary>
    internal TimeSpan Waited { get; init; }

    internal bool ExceedsLimit { get; init; }

    internal bool IsDeadlock { get; init; }

    internal string Describe() =>
        $"The budget {BudgetName} has no room for {Asked} bytes: {InUse} of {Limit} bytes are in use, {Waiting} requests wait. "
        + (ExceedsLimit
            ? (Held > 0
                ? $"Whoever asks holds {Held} bytes already, and may not hold more than the limit: write less, or raise it."
                : "No request may ask for more than the limit: ask for less, or raise it.")
            : IsDeadlock
                ? $"Whoever asks holds {Held} bytes, and all that could make room wait too: this request was refused so that they go on. "
                    + "Return what it holds and try again, or take the bytes at once, as with a capacity."
                : Waited > TimeSpan.Zero
                    ? $"The call waited {Waited} for them. Return buffers earlier, wait longer, or raise the limit."
                    : "Return buffers, wait for them with an asynchronous call, or raise the limit.");
}
