using System.Buffers;
using System.Runtime.CompilerServices;
using Tarn.Torture.Findings;

namespace Tarn.Torture.Composed.Owners;

/// <summary>A native buffer, which changes its length, is pinned, and may be dropped.</summary>
internal sealed class NativeElements : Owner
{
    private NativeBuffer<byte>? _buffer;
    private byte[] _contents = [];
    private MemoryHandle? _pin;

    private NativeElements(Company company, int length)
        : base(company)
    {
        _buffer = company.Heap.AllocateBuffer<byte>(length);
        Fill();
    }

    internal static OwnerKind Kind { get; } = new(
        "native buffer",
        static (company, step) => new NativeElements(company, Math.Max(1, step.Number)),
        [
            OwnerCall.Of<NativeElements>("Write", static (native, _) => native.Fill()),
            OwnerCall.Of<NativeElements>("TryResize", static (native, step) => native.Resize(Math.Max(1, step.Number))),
            OwnerCall.Of<NativeElements>("TryResize to sixteen times as much", static (native, _) =>
                native.Resize(Math.Min(native._contents.Length * 16, 1 << 20))),
            OwnerCall.Of<NativeElements>("Pin", static (native, _) => native._pin ??= native._buffer!.Pin()),
            OwnerCall.Of<NativeElements>("Unpin", static (native, _) => native.Unpin()),
        ],
        [
            OwnerCall.Of<NativeElements>("disposed", static (native, _) => native.Dispose()),
            OwnerCall.Of<NativeElements>("disposed twice", static (native, _) =>
            {
                native.Dispose();
                native.DisposeAgain();
            }),
            OwnerCall.Of<NativeElements>("dropped", static (native, _) => native.Drop()),
        ]);

    /// <inheritdoc/>
    internal override IEnumerable<(string Call, Action Make)> CallsWhenOver => _buffer is null ? [] :
    [
        ("Span", () => _ = _buffer.Span.Length), ("TryResize", () => _buffer.TryResize(5)), ("Pin", () => _buffer.Pin().Dispose()),
    ];

    /// <inheritdoc/>
    internal override void Charge(long[] held) => Add(held, Company.HeapNode, Company.HeapCharge(_contents.Length, alignment: 64));

    /// <inheritdoc/>
    internal override void Verify() =>
        Require.That(_buffer!.Span.SequenceEqual(_contents), $"#{Number} has other bytes than were written.");

    /// <inheritdoc/>
    internal override void Dispose()
    {
        IsOver = true;
        _buffer!.Dispose();
        Unpin();
    }

    /// <inheritdoc/>
    internal override void DisposeAgain() => _buffer?.Dispose();

    private void Fill()
    {
        _contents = Company.NextBytes(_buffer!.Span.Length);
        _contents.CopyTo(_buffer.Span);
    }

    private void Resize(int length)
    {
        if (!_buffer!.TryResize(length))
        {
            Require.That(
                _pin is not null || Company.HeapNode is not null || Company.Settings.RefusesMemory,
                $"#{Number} refused a length of {length}, without a pin and without a budget.");
            return;
        }

        int kept = Math.Min(length, _contents.Length);
        Require.That(_buffer.Span[..kept].SequenceEqual(_contents.AsSpan(0, kept)), $"#{Number} lost bytes as it was resized.");
        Fill();
    }

    private void Unpin()
    {
        _pin?.Dispose();
        _pin = null;
    }

    /// <summary>A buffer that is dropped frees its block. With checks it is a leak that is reported.</summary>
    private void Drop()
    {
        if (!Company.MayDrop)
        {
            Dispose();
            return;
        }

        IsOver = true;
        long before = Company.Heap.GetStatistics().InUseBlocks;
        Forget();
        Company.CollectUntil(() => Company.Heap.GetStatistics().InUseBlocks < before
            && (Company.HeapNode is not { } node || node.Budget.InUse <= node.Model.InUse - Charged[node.Index]));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Forget()
    {
        Unpin();
        _buffer = null;
    }
}
