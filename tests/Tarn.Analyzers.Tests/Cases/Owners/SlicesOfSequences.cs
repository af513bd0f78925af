using System;
using System.Buffers;
using System.Collections.Generic;
using Tarn;

/// <summary>Slices that sequences and streams give out and take over.</summary>
internal sealed class SlicesOfSequences
{
    internal static void TakenOver(SequenceBuilder<byte> builder, CountedBuffer<byte> buffer)
    {
        CountedSlice<byte> slice = buffer.Slice();
        builder.Append(slice);
        builder.Append(buffer.Slice(1));
    }

    internal static int Kept(SequenceBuilder<byte> builder, Dictionary<int, CountedSlice<byte>> latest)
    {
        latest[0] = builder.Slice(0, 4);
        using CountedSlice<byte> slice = builder.Slice(4, 4);
        builder.AdvanceTo(builder.Sequence.GetPosition(8));
        return slice.Span[0];
    }

    internal static CountedSlice<byte> HandedOut(PooledMemoryStream stream) => stream.DetachSlice();

    internal static int LostOfBuilder(SequenceBuilder<byte> builder)
    {
        CountedSlice<byte> slice = builder.Slice(0, 4); // expect TARN011
        return slice.Span[0];
    }

    internal static int LostOfStream(ReadOnlySpan<byte> bytes)
    {
        using PooledMemoryStream stream = new();
        stream.Write(bytes);
        CountedSlice<byte> slice = stream.DetachSlice(); // expect TARN011
        return slice.Span[0];
    }

    internal static int UsedAfter(OwnedSequence<byte> sequence)
    {
        CountedSlice<byte> slice = sequence.Slice(0, 4);
        slice.Dispose();
        return slice.Span[0]; // expect TARN002
    }

    internal static void Twice(OwnedSequence<byte> sequence)
    {
        CountedSlice<byte> slice = sequence.Slice(0, 4);
        slice.Dispose();
        slice.Dispose(); // expect TARN001
    }
}
