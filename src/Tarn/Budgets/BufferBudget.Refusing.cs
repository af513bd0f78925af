namespace Tarn;

/// <content>Requests that are refused.</content>
public sealed partial class BufferBudget
{
    /// <summary>Throws unless the time that options let calls wait for their budget is a time, and there is a budget.</summary>
    /// <exception cref="ArgumentException">The setting is out of range or without use; the message names it.</exception>
    internal static void VerifyOptions(
        string argumentName, BufferBudget? budget, TimeSpan budgetTimeout, string setting = "BudgetTimeout", TimeSpan unused = default)
    {
        bool isTime = budgetTimeout == Timeout.InfiniteTimeSpan || (budgetTimeout >= TimeSpan.Zero && budgetTimeout <= s_longestBlock);
        Throw.UnlessAllowed(isTime, argumentName, setting, budgetTimeout, $"zero to {s_longestBlock}, or Timeout.InfiniteTimeSpan");
        if (budget is null && budgetTimeout != unused)
        {
            throw new ArgumentException(
                $"{setting} is {budgetTimeout}, but there is no budget to wait for: set Budget, or leave {setting} "
                + (unused == TimeSpan.Zero ? "zero." : "infinite."),
                argumentName);
        }
    }

    /// <summary>Counts a request as refused, and returns its exception.</summary>
    internal BufferBudgetExceededException Refuse(long bytes, long held, TimeSpan waited)
    {
        CountRefusal();
        return ExceededBy(bytes, held, waited);
    }

    private void CountRefusal()
    {
        using (_tree.Lock.Hold())
        {
            _refused++;
        }
    }

    private BufferBudgetExceededException ExceededBy(long bytes, long held, TimeSpan waited)
    {
        BufferBudget? tooSmall = FindTooSmall(bytes, held);
        BufferBudget? full = tooSmall;
        if (full is null)
        {
            using (_tree.Lock.Hold())
            {
                full = FindFull(bytes);
            }
        }

        // If room came meanwhile, this budget's numbers are as good as any.
        full ??= this;
        return new BufferBudgetExceededException(new BudgetRefusal
        {
            Origin = this,
            BudgetName = full.Name,
            Limit = full.Limit,
            InUse = full.InUse,
            Waiting = Volatile.Read(ref full._queued),
            Asked = bytes,
            Held = held,
            Waited = waited,
            ExceedsLimit = tooSmall is not null,
        });
    }
}
