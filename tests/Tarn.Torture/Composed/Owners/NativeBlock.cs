using Tarn.Torture.Findings;

namespace Tarn.Torture.Composed.Owners;

/// <summary>A block of the heap that the program frees itself, with the misuse that a heap with checks must refuse.</summary>
internal sealed unsafe class NativeBlock : Owner
{
    private nint _block;
    private int _size;
    private byte[] _contents;

    private NativeBlock(Company company, int size, bool isZeroed)
        : base(company)
    {
        _block = isZeroed ? (nint)company.Heap.AllocateZeroed((nuint)size) : (nint)company.Heap.Allocate((nuint)size);
        _size = size;
        _contents = [];
        Fill();
    }

    internal static OwnerKind Kind { get; } = new(
        "block of the heap",
        static (company, step) => new NativeBlock(company, Math.Max(1, step.Number), isZeroed: step.Other % 3 == 0),
        [
            OwnerCall.Of<NativeBlock>("Write", static (block, _) => block.Fill()),
            OwnerCall.Of<NativeBlock>("Reallocate", static (block, step) => block.Reallocate(step.Number)),
            OwnerCall.Of<NativeBlock>("Reallocate within its class", static (block, _) => block.Reallocate(block._size + 1)),
            OwnerCall.Of<NativeBlock>("Reallocate to sixteen times as much", static (block, _) => block.Reallocate(block._size * 16)),
            OwnerCall.Of<NativeBlock>("Reallocate of a wrong size", static (block, step) => block.ReallocateWrong(step.Number)),
            OwnerCall.Of<NativeBlock>("Free of a wrong size", static (block, step) => block.FreeWrong(step.Number)),
        ],
        [
            OwnerCall.Of<NativeBlock>("freed", static (block, _) => block.Dispose()),
            OwnerCall.Of<NativeBlock>("freed by the address", static (block, _) => block.FreeByAddress()),
            OwnerCall.Of<NativeBlock>("freed twice", static (block, _) => block.FreeTwice()),
        ]);

    private Span<byte> Bytes => new((void*)_block, _size);

    /// <inheritdoc/>
    internal override void Charge(long[] held) => Add(held, Company.HeapNode, Company.HeapCharge(_size));

    /// <inheritdoc/>
    internal override void Verify() => Require.That(Bytes.SequenceEqual(_contents), $"#{Number} has other bytes than were written.");

    /// <inheritdoc/>
    internal override void Dispose()
    {
        IsOver = true;
        Company.Heap.Free((void*)_block, (nuint)_size);
    }

    /// <inheritdoc/>
    internal override void DisposeAgain()
    {
    }

    private void Fill()
    {
        _contents = Company.NextBytes(_size);
        _contents.CopyTo(Bytes);
    }

    private void Reallocate(int size)
    {
        size = Math.Clamp(size, 1, 1 << 20);
        if (Company.Try(() => _block = (nint)Company.Heap.Reallocate((void*)_block, (nuint)_size, (nuint)size)))
        {
            int kept = Math.Min(size, _size);
            _size = size;
            Require.That(Bytes[..kept].SequenceEqual(_contents.AsSpan(0, kept)), $"#{Number} lost bytes as it was reallocated.");
            Fill();
        }
    }

    private void ReallocateWrong(int size)
    {
        if (Company.IsChecked)
        {
            Company.Try(() => Company.RefusesMisuse(
                "The reallocation", () => Company.Heap.Reallocate((void*)_block, (nuint)(_size + 5_000), (nuint)Math.Max(1, size))));
        }
    }

    private void FreeWrong(int size)
    {
        if (Company.IsChecked)
        {
            Company.RefusesMisuse("The free", () => Company.Heap.Free((void*)_block, (nuint)(_size + size + 5_000)));
            Company.RefusesMisuse("The free", () => Company.Heap.Free((byte*)_block + 1));
        }
    }

    private void FreeByAddress()
    {
        IsOver = true;
        Company.Heap.Free((void*)_block);
    }

    /// <summary>Only a heap with checks tells a second free.</summary>
    private void FreeTwice()
    {
        Dispose();
        if (Company.IsChecked)
        {
            Company.RefusesMisuse("The second free", () => Company.Heap.Free((void*)_block, (nuint)_size));
        }
    }
}
