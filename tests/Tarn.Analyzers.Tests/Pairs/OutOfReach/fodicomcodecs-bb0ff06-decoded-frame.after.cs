// Efferent-Health/fo-dicom.Codecs, commit bb0ff06 (issue #188): the decoder gave the pooled array to the frame, longer than the frame is, and returned it
// in the finally. The fix copies the decoded bytes out.
using System;
using System.Buffers;

internal sealed class JpegDecoder
{
    public void Decode(byte[] jpeg, PixelData result, int frameSize)
    {
        var pool = ArrayPool<byte>.Shared;
        byte[]? frameData = null;

        try
        {
            frameData = pool.Rent(frameSize);

            int error = Native.Decode(jpeg, frameData, out int size);
            if (error != 0)
            {
                throw new CodecException("The frame could not be decoded: " + error);
            }

            var decoded = new byte[size];
            Buffer.BlockCopy(frameData, 0, decoded, 0, size);

            ByteBuffer buffer = new(decoded);

            result.AddFrame(buffer);
        }
        catch (CodecException)
        {
            throw;
        }
        catch (Exception e)
        {
            throw new CodecException(e.Message + " => " + e.StackTrace);
        }
        finally
        {
            if (frameData != null)
            {
                pool.Return(frameData);
                frameData = null;
            }
        }
    }
}

internal static class Native
{
    public static int Decode(byte[] source, byte[] target, out int size)
    {
        size = Math.Min(source.Length, target.Length);
        source.AsSpan(0, size).CopyTo(target);
        return 0;
    }
}

internal sealed class ByteBuffer(byte[] data)
{
    public byte[] Data { get; } = data;
}

internal sealed class PixelData
{
    private readonly System.Collections.Generic.List<ByteBuffer> _frames = [];

    public void AddFrame(ByteBuffer frame) => _frames.Add(frame);
}

internal sealed class CodecException(string message) : Exception(message);
