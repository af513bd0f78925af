namespace Tarn;

/// <summary>A <see cref="BufferBudget"/> refused bytes. Nothing was taken.</summary>
public sealed class BufferBudgetExceededException : InvalidOperationException
{
    /// <summary>Creates the exception without a budget.</summary>
    public BufferBudgetExceededException()
        : this("A budget of buffers refused bytes.")
    {
    }

    /// <summary>Creates the exception without a budget.</summary>
    /// <param name="message">The message.</param>
    public BufferBudgetExceededException(string message)
        : base(message)
    {
    }

    /// <summary>Creates the exception without a budget.</summary>
    /// <param name="message">The message.</param>
    /// <param name="innerException">The cause.</param>
    public BufferBudgetExceededException(string message, Exception innerException)
        : base(message, innerException)
    {
    }

    internal BufferBudgetExceededException(in BudgetRefusal refusal)
        : base(refusal.Describe())
    {
        Origin = refusal.Origin;
        BudgetName = refusal.BudgetName;
        Limit = refusal.Limit;
        InUse = refusal.InUse;
        Asked = refusal.Asked;
        ExceedsLimit = refusal.ExceedsLimit;
        IsDeadlock = refusal.IsDeadlock;
    }

    /// <summary>The name of the budget that has no room: the one that was asked, or a parent of it.</summary>
    public string BudgetName { get; } = "";

    /// <summary>The limit of that budget, in bytes.</summary>
    public long Limit { get; }

    /// <summary>The bytes in use at that budget when it refused.</summary>
    public long InUse { get; }

    /// <summary>The bytes that were asked for.</summary>
    public long Asked { get; }

    /// <summary>
    /// Whether the request can never be granted, even if all others return what they hold: with the bytes that its owner, such as a
    /// stream, holds already, it is above the limit. To repeat it is in vain.
    /// </summary>
    public bool ExceedsLimit { get; }

    /// <summary>
    /// Whether the request was refused because it and all it waited for would have waited for each other. When its owner has returned what
    /// it holds, the others go on, and a repetition may succeed.
    /// </summary>
    public bool IsDeadlock { get; }

    /// <summary>The budget that was asked.</summary>
    internal BufferBudget? Origin { get; }
}
