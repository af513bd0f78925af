using System.Runtime.InteropServices;
using Tarn.Torture.Findings;

namespace Tarn.Torture.Composed.Owners;

/// <summary>A counted buffer and its slices: the array goes back with the last of them.</summary>
internal sealed class Slices : Owner
{
    private readonly Action<long[]> _charge;
    private readonly byte[] _contents;
    private readonly List<CountedSlice<byte>> _slices = [];
    private CountedBuffer<byte>? _buffer;

    /// <summary>A slice that a stream detached.</summary>
    internal Slices(Company company, CountedSlice<byte> slice, byte[] contents, Action<long[]> charge)
        : base(company)
    {
        (_charge, _contents) = (charge, contents);
        _slices.Add(slice);
    }

    private Slices(Company company, CountedBuffer<byte> buffer, BudgetNode? own)
        : base(company)
    {
        _buffer = buffer;
        _contents = company.NextBytes(buffer.Length);
        _contents.CopyTo(buffer.Memory);
        long bytes = MemoryMarshal.TryGetArray<byte>(buffer.Memory, out ArraySegment<byte> array)
            ? array.Array!.Length : 0;
        _charge = held =>
        {
            Add(held, own, bytes);
            Add(held, company.PoolNode, bytes);
        };
    }

    internal static OwnerKind Kind { get; } = new(
        "counted buffer",
        static (company, step) => new Slices(company, CountedBuffer<byte>.Rent(company.Pool, Math.Max(1, step.Number)), own: null),
        Calls,
        Endings);

    internal static OwnerKind OfBudget { get; } = new(
        "counted buffer with a budget",
        static (company, step) =>
        {
            CountedBuffer<byte>? buffer = null;
            BudgetNode? own = company.StreamNode;
            return company.Try(
                () => buffer = CountedBuffer<byte>.Rent(company.Pool, Math.Max(1, step.Number), own?.Budget), inPieces: own is not null)
                ? new Slices(company, buffer!.Value, own)
                : null;
        },
        Calls,
        Endings);

    private static IReadOnlyList<OwnerCall> Calls =>
    [
        OwnerCall.Of<Slices>("Slice", static (shared, _) => shared.Slice()),
        OwnerCall.Of<Slices>("Dispose of a slice", static (shared, _) => shared.DisposeSlice()),
        OwnerCall.Of<Slices>("Dispose of the buffer", static (shared, _) => shared.DisposeBuffer()),
    ];

    private static IReadOnlyList<OwnerCall> Endings =>
    [OwnerCall.Of<Slices>("disposed, all of it", static (shared, _) => shared.Dispose())];

    /// <inheritdoc/>
    internal override void Charge(long[] held) => _charge(held);

    /// <inheritdoc/>
    internal override void Verify() => _slices.ForEach(
        slice => Require.That(slice.Span.SequenceEqual(_contents), $"A slice of #{Number} has other bytes than were written."));

    /// <inheritdoc/>
    internal override void Dispose()
    {
        IsOver = true;
        _slices.ForEach(static slice => slice.Dispose());
        DisposeBuffer();
    }

    /// <summary>A slice that ended stays ended.</summary>
    internal override void DisposeAgain() =>
        _slices.ForEach(static slice => Company.Refuses<ObjectDisposedException>("The second disposal of a slice", slice.Dispose));

    /// <summary>Hands the last holder over, if there is one only.</summary>
    internal bool TryHandOver(out CountedSlice<byte> slice, out byte[] contents, out long[] held)
    {
        (slice, contents, held) = (default, _contents, new long[Company.MostBudgets]);
        if (_slices.Count != 1 || _buffer is not null)
        {
            return false;
        }

        slice = _slices[0];
        _slices.Clear();
        _charge(held);
        return true;
    }

    private void Slice() => _slices.Add(_buffer?.Slice() ?? _slices[^1].Slice());

    private void DisposeSlice()
    {
        if (_slices.Count > 1 || (_slices.Count == 1 && _buffer is not null))
        {
            _slices[^1].Dispose();
            Company.Refuses<ObjectDisposedException>("The second disposal of a slice", _slices[^1].Dispose);
            _slices.RemoveAt(_slices.Count - 1);
        }
    }

    private void DisposeBuffer()
    {
        if (_buffer is { } buffer && (IsOver || _slices.Count > 0))
        {
            _buffer = null;
            buffer.Dispose();
            Company.Refuses<ObjectDisposedException>("The second disposal of a buffer", buffer.Dispose);
        }
    }
}
