// Efferent-Health/fo-dicom.Codecs#189 (issue #188): the pooled array itself became the frame of the dataset and went back
// to the pool in the finally, so a later frame overwrote it. The fix copies the encoded bytes out.
using System;
using System.Buffers;

internal class HtJpegCodec
{
    private const int FileThreshold = 4096;

    public void Encode(byte[] raw, Dataset dataset, int frameCount)
    {
        var pool = ArrayPool<byte>.Shared;
        byte[] encoded = pool.Rent(raw.Length);

        try
        {
            int size = Compress(raw, encoded);
            if (size <= 0)
            {
                throw new InvalidOperationException("the frame could not be encoded");
            }

            var exact = new byte[size];
            Buffer.BlockCopy(encoded, 0, exact, 0, size);

            IFrame frame;
            if (size >= FileThreshold || frameCount > 1)
            {
                frame = new FileFrame(exact);
            }
            else
            {
                frame = new MemoryFrame(exact);
            }

            dataset.AddFrame(frame);
        }
        finally
        {
            pool.Return(encoded);
        }
    }

    private static int Compress(byte[] source, byte[] target)
    {
        source.AsSpan().CopyTo(target);
        return source.Length;
    }
}

internal interface IFrame
{
    long Size { get; }
}

internal sealed class MemoryFrame(byte[] data) : IFrame
{
    public byte[] Data { get; } = data;

    public long Size => Data.Length;
}

internal sealed class FileFrame : IFrame
{
    public FileFrame(byte[] data)
    {
        string path = System.IO.Path.GetTempFileName();
        System.IO.File.WriteAllText(path, Convert.ToBase64String(data, 0, 1));
        Size = data.Length;
    }

    public long Size { get; }
}

internal sealed class Dataset
{
    private readonly System.Collections.Generic.List<IFrame> _frames = [];

    public void AddFrame(IFrame frame) => _frames.Add(frame);
}
