namespace Tarn.Torture.Composed;

/// <summary>A call that waits for bytes of a budget, and what the model says of it.</summary>
/// <param name="Owner">Who waits.</param>
/// <param name="Call">The call.</param>
/// <param name="Node">The budget that was asked.</param>
/// <param name="Request">The request to its model.</param>
/// <param name="Task">The call's task.</param>
/// <param name="Source">Ends the wait.</param>
/// <param name="OnGranted">Takes over what the call brought.</param>
internal sealed record WaitingCall(
    Owner Owner, string Call, BudgetNode Node, BudgetModel.Request Request, Task Task, CancellationTokenSource Source, Action OnGranted)
{
    /// <summary>The index of the budget in whose queue it is.</summary>
    internal int AtIndex
    {
        get
        {
            int index = Node.Index;
            for (BudgetModel? model = Node.Model; model is not null && model != Request.At; model = model.Parent)
            {
                index--;
            }

            return index;
        }
    }

    /// <inheritdoc/>
    public override string ToString() => $"#{Owner.Number}.{Call}, which waits for {Request.Bytes} bytes of {Node}";
}
