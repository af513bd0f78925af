using Tarn.Lab.Contenders.Streams;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Workloads.Streams;

/// <summary>The common part of the rounds of all contenders.</summary>
internal static class StreamRound
{
    /// <summary>Streams in one round, as in the MemoryStreamSlim document.</summary>
    public const int Loops = 5;

    public static void ThrowShort() => throw new InvalidDataException("A stream returned fewer bytes than were written to it.");
}

/// <summary>
/// The operation of the MemoryStreamSlim document: five times a stream is created, written, read back in pieces of the same size and
/// disposed. Its harness sets the position twice before the first write, so that is done here too.
/// </summary>
internal readonly struct StreamRound<TMaker>(TMaker maker, StreamShape shape, StreamBuffers buffers) : IWork
    where TMaker : struct, IStreamMaker
{
    public void Once()
    {
        int size = shape.Size;
        for (int loop = 0; loop < StreamRound.Loops; loop++)
        {
            if (shape.Piece == 1)
            {
                FillAndReadBytes(size);
            }
            else
            {
                FillAndRead(size);
            }

            size += shape.Growth;
        }
    }

    private void FillAndRead(int size)
    {
        byte[] source = buffers.Source;
        byte[] target = buffers.Target;
        int piece = shape.Piece;
        using Stream stream = maker.Create(size);
        stream.Position = 0;
        stream.Position = 0;
        for (int left = size; left > 0;)
        {
            int part = Math.Min(piece, left);
            stream.Write(source, 0, part);
            left -= part;
        }

        stream.Position = 0;
        for (int left = size; left > 0;)
        {
            int part = Math.Min(piece, left);
            if (stream.Read(target, 0, part) != part)
            {
                StreamRound.ThrowShort();
            }

            left -= part;
        }
    }

    private void FillAndReadBytes(int size)
    {
        byte[] source = buffers.Source;
        byte[] target = buffers.Target;
        using Stream stream = maker.Create(size);
        stream.Position = 0;
        stream.Position = 0;
        for (int index = 0; index < size; index++)
        {
            stream.WriteByte(source[0]);
        }

        stream.Position = 0;
        for (int index = 0; index < size; index++)
        {
            int value = stream.ReadByte();
            if (value < 0)
            {
                StreamRound.ThrowShort();
            }

            target[0] = (byte)value;
        }
    }
}
