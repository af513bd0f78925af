using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Tarn.Torture.Findings;

namespace Tarn.Torture.Composed.Owners;

/// <summary>An owner of one piece of memory: a lease of a pool, and what a writer detached.</summary>
internal class MemoryOwner : Owner
{
    private readonly List<MemoryHandle> _pins = [];
    private readonly Action<MemoryOwner, long[]> _charge;
    private IMemoryOwner<byte>? _owner;
    private byte[] _contents = [];

    /// <param name="company">The company.</param>
    /// <param name="owner">The owner; null while it is waited for.</param>
    /// <param name="contents">What is in it already; null to fill it.</param>
    /// <param name="charge">Adds the bytes that it holds.</param>
    protected MemoryOwner(Company company, IMemoryOwner<byte>? owner, byte[]? contents, Action<MemoryOwner, long[]> charge)
        : base(company)
    {
        _charge = charge;
        if (owner is not null)
        {
            Take(owner, contents);
        }
    }

    internal static OwnerKind OfPool { get; } = new(
        "lease of the pool",
        static (company, step) => new MemoryOwner(company, company.Pool.LeaseMemory(step.Number), contents: null, ChargePool),
        Calls,
        Endings);

    internal static OwnerKind OfHeap { get; } = new(
        "memory detached from the heap", static (_, _) => null, Calls, Endings);

    internal static IReadOnlyList<OwnerCall> Calls =>
    [
        OwnerCall.Of<MemoryOwner>("Write", static (lease, _) => lease.Fill()),
        OwnerCall.Of<MemoryOwner>("Pin", static (lease, _) => lease._pins.Add(lease._owner!.Memory.Pin())),
        OwnerCall.Of<MemoryOwner>("Unpin", static (lease, _) => lease.Unpin()),
    ];

    internal static IReadOnlyList<OwnerCall> Endings =>
    [
        OwnerCall.Of<MemoryOwner>("disposed", static (lease, _) => lease.Dispose()),
        OwnerCall.Of<MemoryOwner>("disposed twice", static (lease, _) =>
        {
            lease.Dispose();
            lease.DisposeAgain();
        }),
        OwnerCall.Of<MemoryOwner>("disposed while it is pinned", static (lease, _) =>
        {
            if (lease._owner is { } owner)
            {
                using MemoryHandle pin = owner.Memory.Pin();
                lease.Dispose();
            }
        }),
    ];

    /// <inheritdoc/>
    internal override IEnumerable<(string Call, Action Make)> CallsWhenOver =>
        _owner is null ? [] : [("Memory", () => _ = _owner.Memory.Length), ("Pin", () => _owner.Memory.Pin().Dispose())];

    protected internal int ArrayLength { get; private set; }

    protected internal int Length => _contents.Length;

    /// <summary>Memory that a writer detached, with what is in it.</summary>
    internal static MemoryOwner Detached(Company company, IMemoryOwner<byte> owner, byte[] contents, Action<MemoryOwner, long[]> charge) =>
        new(company, owner, contents, charge);

    internal static void ChargePool(MemoryOwner lease, long[] held) => Add(held, lease.Company.PoolNode, lease.ArrayLength);

    /// <summary>Hands it over to another owner, which disposes it.</summary>
    internal (IMemoryOwner<byte> Owner, byte[] Contents) HandOver()
    {
        Unpin();
        return (_owner!, _contents);
    }

    /// <inheritdoc/>
    internal override void Charge(long[] held) => _charge(this, held);

    /// <inheritdoc/>
    internal override void Verify()
    {
        if (_owner is not null)
        {
            Require.That(_owner.Memory.Span.SequenceEqual(_contents), $"#{Number} has other bytes than were written.");
        }
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

        Unpin();
        DisposeAgain();
    }

    /// <inheritdoc/>
    internal override void DisposeAgain() => _owner?.Dispose();

    /// <inheritdoc/>
    internal override void OnWaitEnded() => IsOver = true;

    protected void Take(IMemoryOwner<byte> owner, byte[]? contents)
    {
        _owner = owner;
        ArrayLength = MemoryMarshal.TryGetArray<byte>(owner.Memory, out ArraySegment<byte> segment) ? segment.Array!.Length : 0;
        _contents = contents ?? new byte[owner.Memory.Length];
        if (contents is null)
        {
            Fill();
        }
    }

    /// <summary>Loses the owner: nothing here leads to it any more.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    protected void Forget()
    {
        Unpin();
        _owner = null;
    }

    private void Fill()
    {
        _contents = Company.NextBytes(_contents.Length);
        _contents.CopyTo(_owner!.Memory);
    }

    private void Unpin()
    {
        _pins.ForEach(static pin => pin.Dispose());
        _pins.Clear();
    }
}
