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

    /// <param name="origin">The budget that was asked.</param>
    /// <param name="budgetName">The budget that has no room.</param>
    /// <param name="limit">Its limit.</param>
    /// <param name="inUse">Its bytes in use.</param>
    /// <param name="waiting">The requests to it that wait.</param>
    /// <param name="asked">The bytes asked for.</param>
    /// <param name="waited">How long the call waited for room, unless it asked for more than the limit.</param>
    internal BufferBudgetExceededException(
        BufferBudget origin, string budgetName, long limit, long inUse, int waiting, long asked, TimeSpan waited)
        : base(Describe(budgetName, limit, inUse, waiting, asked, waited))
    {
        Origin = origin;
        BudgetName = budgetName;
        Limit = limit;
        InUse = inUse;
        Asked = asked;
    }

    /// <summary>The name of the budget that has no room: the one that was asked, or a parent of it.</summary>
    public string BudgetName { get; } = "";

    /// <summary>The limit of that budget, in bytes.</summary>
    public long Limit { get; }

    /// <summary>The bytes in use at that budget when it refused.</summary>
    public long InUse { get; }

    /// <summary>The bytes that were asked for.</summary>
    public long Asked { get; }

    /// <summary>The budget that was asked.</summary>
    internal BufferBudget? Origin { get; }

    private static string Describe(string name, long limit, long inUse, int waiting, long asked, TimeSpan waited) =>
        $"The budget {name} has no room for {asked} bytes: {inUse} of {limit} bytes are in use, {waiting} requests wait. "
        + (asked > limit
            ? "No request may ask for more than the limit: ask for less, or raise it."
            : (waited > TimeSpan.Zero ? $"The call waited {waited} for them. " : "")
                + "Return buffers, wait for them with an asynchronous call, or raise the limit.");
}
