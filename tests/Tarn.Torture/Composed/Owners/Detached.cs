using System.Buffers;
using Tarn.Torture.Findings;

namespace Tarn.Torture.Composed.Owners;

/// <summary>What a builder or a stream detached.</summary>
internal sealed class Detached(
    Company company, OwnedSequence<byte> sequence, byte[] contents, Action<long[]> charge, Action? atEnd = null) : Owner(company)
{
    internal static OwnerKind Kind { get; } = new(
        "detached sequence",
        static (_, _) => null,
        [OwnerCall.Of<Detached>("Slice", static (detached, step) => detached.TrySlice(step.Number))],
        [
            OwnerCall.Of<Detached>("disposed", static (detached, _) => detached.Dispose()),
            OwnerCall.Of<Detached>("disposed twice", static (detached, _) =>
            {
                detached.Dispose();
                detached.DisposeAgain();
            }),
        ]);

    /// <inheritdoc/>
    internal override IEnumerable<(string Call, Action Make)> CallsWhenOver => [("Sequence", () => _ = sequence.Sequence)];

    /// <inheritdoc/>
    internal override void Charge(long[] held) => charge(held);

    /// <inheritdoc/>
    internal override void Verify() =>
        Require.That(sequence.Sequence.ToArray().AsSpan().SequenceEqual(contents), $"#{Number} has other bytes than were detached.");

    /// <inheritdoc/>
    internal override void Dispose()
    {
        IsOver = true;
        DisposeAgain();
        atEnd?.Invoke();
    }

    /// <inheritdoc/>
    internal override void DisposeAgain() => sequence.Dispose();

    private void TrySlice(int start)
    {
        if (contents.Length == 0)
        {
            return;
        }

        start %= contents.Length;
        int length = Math.Min(contents.Length - start, 50);
        Company.Try(() =>
        {
            using CountedSlice<byte> slice = sequence.Slice(start, length);
            Require.That(slice.Span.SequenceEqual(contents.AsSpan(start, length)), $"A slice of #{Number} has other bytes.");
        }, inPieces: true);
    }
}
