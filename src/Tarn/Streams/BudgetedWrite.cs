namespace Tarn;

/// <summary>A write that waits for the budget of its stream.</summary>
internal static class BudgetedWrite
{
    /// <summary>Waits for the bytes that a write lacked, and writes with them; more than once, if it needs several segments.</summary>
    internal static async ValueTask WaitAndWriteAsync(
        PooledMemoryStream stream, ReadOnlyMemory<byte> buffer, BufferBudget budget, long asked, CancellationToken cancellation)
    {
        BudgetCredit credit = new(budget);
        try
        {
            while (true)
            {
                await credit.AddAsync(asked, cancellation).ConfigureAwait(false);
                try
                {
                    using (credit.Use())
                    {
                        stream.Write(buffer.Span);
                        return;
                    }
                }
                catch (BufferBudgetExceededException e) when (e.Origin == budget)
                {
                    asked = e.Asked;
                }
            }
        }
        finally
        {
            credit.Return();
        }
    }
}
