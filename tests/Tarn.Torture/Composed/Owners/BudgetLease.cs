using System.Buffers;
using System.Runtime.CompilerServices;

namespace Tarn.Torture.Composed.Owners;

/// <summary>A lease whose bytes a budget counts: taken at once, or waited for. One that is dropped gives its bytes back.</summary>
internal sealed class BudgetLease : MemoryOwner
{
    private readonly BudgetNode _node;
    private readonly int _length;

    private BudgetLease(Company company, BudgetNode node, int length, IMemoryOwner<byte>? owner)
        : base(company, owner, contents: null, (lease, held) => Add(held, node, lease.Length)) =>
        (_node, _length) = (node, length);

    internal static OwnerKind AtOnce { get; } = new(
        "lease of a budget",
        static (company, step) =>
        {
            BudgetNode node = company.Nodes[step.Other % company.Nodes.Count];
            IMemoryOwner<byte>? owner = step.Choice % 2 == 0
                ? node.Budget.LeaseMemory(company.Plain, step.Number)
                : node.Budget.TryLeaseMemory(company.Plain, step.Number);
            return owner is null ? null : new BudgetLease(company, node, step.Number, owner);
        },
        Calls,
        [.. Endings, OwnerCall.Of<BudgetLease>("dropped", static (lease, _) => lease.Drop())]);

    internal static OwnerKind Awaited { get; } = new(
        "lease of a budget that may wait",
        static (company, step) => new BudgetLease(company, company.Nodes[step.Other % company.Nodes.Count], step.Number, owner: null),
        Calls,
        [.. Endings]);

    /// <inheritdoc/>
    internal override void Begin()
    {
        if (Length > 0 || _length == 0)
        {
            IsOver = _length == 0;
            return;
        }

        if (_node.Model.Fits(_length))
        {
            Take(_node.Budget.LeaseMemoryAsync(Company.Plain, _length).AsTask().Result, contents: null);
            return;
        }

        Task<IMemoryOwner<byte>>? lease = null;
        IsOver = !Company.Wait(
            this, "LeaseMemoryAsync", _node, _length,
            cancellation => lease = _node.Budget.LeaseMemoryAsync(Company.Plain, _length, cancellation).AsTask(),
            () => Take(lease!.Result, contents: null));
    }

    private void Drop()
    {
        if (!Company.MayDrop)
        {
            Dispose();
            return;
        }

        IsOver = true;
        Company.NoteLost(Company.Plain, ArrayLength);
        Forget();
        Company.CollectUntil(() => _node.Budget.InUse <= _node.Model.InUse - Length);
    }
}
