namespace Tarn.Torture.Composed.Owners;

/// <summary>Bytes that were taken of a budget by hand: at once, or waited for, for a time or without an end.</summary>
internal sealed class TakenBytes : Owner
{
    private readonly BudgetNode _node;
    private readonly bool _mayWait;
    private long _bytes;

    private TakenBytes(Company company, BudgetNode node, long bytes, bool mayWait)
        : base(company)
    {
        (_node, _mayWait) = (node, mayWait);
        if (!mayWait)
        {
            node.Budget.Take(bytes);
        }

        _bytes = bytes;
    }

    internal static OwnerKind AtOnce { get; } = new(
        "bytes of a budget",
        static (company, step) => new TakenBytes(company, NodeOf(company, step), step.Number, mayWait: false),
        Calls,
        [OwnerCall.Of<TakenBytes>("returned", static (taken, _) => taken.Dispose())]);

    internal static OwnerKind Awaited { get; } = new(
        "bytes of a budget that are waited for",
        static (company, step) => new TakenBytes(company, NodeOf(company, step), step.Number, mayWait: true),
        Calls,
        [OwnerCall.Of<TakenBytes>("returned, or cancelled", static (taken, _) => taken.Dispose())]);

    private static IReadOnlyList<OwnerCall> Calls =>
    [
        OwnerCall.Of<TakenBytes>("Return of a part", static (taken, step) => taken.ReturnPart(step.Number)),
        OwnerCall.Of<TakenBytes>("TakeAsync that times out", static (taken, step) => taken.TimeOut(step.Number)),
        OwnerCall.Of<TakenBytes>("Return of more than is in use", static (taken, _) =>
            Company.Refuses<InvalidOperationException>("The return", () => taken._node.Budget.Return(taken._node.Budget.InUse + 1))),
    ];

    /// <inheritdoc/>
    internal override void Begin()
    {
        if (!_mayWait)
        {
            return;
        }

        if (_node.Model.Fits(_bytes))
        {
            _node.Budget.TakeAsync(_bytes).AsTask().Wait();
            return;
        }

        IsOver = !Company.Wait(
            this, "TakeAsync", _node, _bytes, cancellation => _node.Budget.TakeAsync(_bytes, cancellation).AsTask(), static () => { });
    }

    /// <inheritdoc/>
    internal override void Charge(long[] held) => Add(held, _node, _bytes);

    /// <inheritdoc/>
    internal override void Verify()
    {
    }

    /// <inheritdoc/>
    internal override void Dispose()
    {
        IsOver = true;
        if (Waiting is { } waiting)
        {
            waiting.Source.Cancel();
            return;
        }

        _node.Budget.Return(_bytes);
    }

    /// <inheritdoc/>
    internal override void DisposeAgain()
    {
    }

    /// <inheritdoc/>
    internal override void OnWaitEnded() => IsOver = true;

    private static BudgetNode NodeOf(Company company, Step step) => company.Nodes[step.Other % company.Nodes.Count];

    private void ReturnPart(long bytes)
    {
        bytes = Math.Min(bytes, _bytes);
        _node.Budget.Return(bytes);
        _bytes -= bytes;
    }

    /// <summary>A wait that the model does not grant runs out of time, and has changed nothing.</summary>
    private void TimeOut(long bytes)
    {
        if (_node.Model.Fits(bytes) || bytes > _node.Path.Min(static budget => budget.Limit))
        {
            return;
        }

        Company.Refuses<Exception>(
            "TakeAsync", () => _node.Budget.TakeAsync(bytes, TimeSpan.FromMilliseconds(1)).AsTask().GetAwaiter().GetResult());
    }
}
