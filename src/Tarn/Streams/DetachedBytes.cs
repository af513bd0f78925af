namespace Tarn;

/// <summary>The contents that <see cref="PooledMemoryStream.Detach"/> took from a <see cref="PooledMemoryStream"/>.</summary>
internal sealed class DetachedBytes : OwnedSequence<byte>
{
    private SegmentedBytes _bytes;

    /// <param name="bytes">The bytes to take over. Their previous owner is empty afterwards.</param>
    internal DetachedBytes(ref SegmentedBytes bytes)
        // Do this first: if there is no memory for it, the bytes must stay with their owner.
        : base(bytes.GetSequence())
    {
        _bytes.TakeOver(ref bytes);
    }

    private protected override CountedSlice<byte> Share(long start, int length) => _bytes.Slice(start, length);

    private protected override void GiveBack() => _bytes.GiveUp();
}
