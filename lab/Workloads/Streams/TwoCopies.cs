using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Streams;

/// <summary>The floor of a <see cref="StreamRound{TMaker}"/>: the same bytes copied in and out of a buffer that is kept.</summary>
internal readonly struct TwoCopies(StreamShape shape, StreamBuffers buffers) : IWork
{
    public void Once()
    {
        int size = shape.Size;
        for (int loop = 0; loop < StreamRound.Loops; loop++)
        {
            CopyInAndOut(size);
            size += shape.Growth;
        }
    }

    private void CopyInAndOut(int size)
    {
        byte[] kept = buffers.Kept;
        for (int done = 0; done < size;)
        {
            int part = Math.Min(shape.Piece, size - done);
            buffers.Source.AsSpan(0, part).CopyTo(kept.AsSpan(done));
            done += part;
        }

        for (int done = 0; done < size;)
        {
            int part = Math.Min(shape.Piece, size - done);
            kept.AsSpan(done, part).CopyTo(buffers.Target);
            done += part;
        }
    }
}
