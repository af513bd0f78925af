using Tarn.Torture.Findings;

namespace Tarn.Torture.Composed.Owners;

/// <summary>A scope of a heap of its own, so that what its blocks hold is known.</summary>
#pragma warning disable CA1001 // it is disposed as a step of the program
internal sealed unsafe class Scope : Owner
#pragma warning restore CA1001
{
    private readonly NativeHeap _heap;
    private readonly NativeScope _scope;
    private readonly List<(nint Address, byte[] Contents)> _allocated = [];

    private Scope(Company company)
        : base(company)
    {
        _heap = new NativeHeap(new NativeHeapOptions
        {
            Name = "composed scope's heap",
            Budget = company.HeapNode?.Budget,
            ClearOnFree = company.Settings.Clears,
            Checks = BufferChecks.None,
        });
        company.Heard?.Follow(_heap, "a scope's heap");
        _scope = _heap.CreateScope();
    }

    internal static OwnerKind Kind { get; } = new(
        "scope",
        static (company, _) => new Scope(company),
        [
            OwnerCall.Of<Scope>("Allocate", static (scope, step) => scope.Allocate(step.Number)),
            OwnerCall.Of<Scope>("Allocate", static (scope, step) => scope.Allocate(step.Number % 100)),
            OwnerCall.Of<Scope>("Reset", static (scope, _) => scope.Reset()),
            OwnerCall.Of<Scope>("Allocate in a frame", static (scope, step) => scope.AllocateInFrame(step.Number)),
            OwnerCall.Of<Scope>("Allocate while a frame is open", static (scope, step) => scope.AllocateBesideFrame(step.Number)),
        ],
        [
            OwnerCall.Of<Scope>("disposed", static (scope, _) => scope.Dispose()),
            OwnerCall.Of<Scope>("disposed twice", static (scope, _) =>
            {
                scope.Dispose();
                scope.DisposeAgain();
            }),
            OwnerCall.Of<Scope>("disposed after its heap", static (scope, _) =>
            {
                scope._heap.Dispose();
                scope.Dispose();
            }),
        ]);

    /// <inheritdoc/>
    internal override IEnumerable<(string Call, Action Make)> CallsWhenOver =>
    [
        ("Allocate", () => _scope.Allocate(5_000)), ("Reset", _scope.Reset), ("AllocatedBytes", () => _ = _scope.AllocatedBytes),
        ("CreateFrame", () => _scope.CreateFrame()),
    ];

    /// <inheritdoc/>
    internal override void Charge(long[] held)
    {
        long bytes = _heap.GetStatistics().InUseBytes;
        Require.That(bytes >= _scope.AllocatedBytes, $"#{Number} has {_scope.AllocatedBytes} bytes of {bytes} that its heap has in use.");
        Add(held, Company.HeapNode, bytes);
    }

    /// <inheritdoc/>
    internal override void Verify() => _allocated.ForEach(
        one => Require.That(
            new Span<byte>((void*)one.Address, one.Contents.Length).SequenceEqual(one.Contents), $"#{Number} has other bytes."));

    /// <inheritdoc/>
    internal override void Dispose()
    {
        IsOver = true;
        _allocated.Clear();
        DisposeAgain();
        _heap.Dispose();
    }

    /// <inheritdoc/>
    internal override void DisposeAgain() => _scope.Dispose();

    private void Allocate(int length)
    {
        byte[] contents = Company.NextBytes(length);
        if (Company.Try(() => Keep(_scope.Allocate<byte>(length), contents)))
        {
            return;
        }

        Verify();
    }

    private void Keep(Span<byte> memory, byte[] contents)
    {
        contents.CopyTo(memory);
        if (contents.Length > 0)
        {
            fixed (byte* address = memory)
            {
                _allocated.Add(((nint)address, contents));
            }
        }
    }

    private void Reset()
    {
        _scope.Reset();
        _allocated.Clear();
    }

    private void AllocateInFrame(int length) => Company.Try(() =>
    {
        using NativeFrame frame = _scope.CreateFrame();
        frame.Allocate<byte>(length).Fill(1);
        Verify();
    });

    private void AllocateBesideFrame(int length)
    {
        using NativeFrame frame = _scope.CreateFrame();
        Company.Try(() => _scope.Allocate<byte>(length).Fill(2));
        Verify();
    }
}
