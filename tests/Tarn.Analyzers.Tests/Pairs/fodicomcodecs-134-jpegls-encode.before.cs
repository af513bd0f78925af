// Efferent-Health/fo-dicom.Codecs#134 (issue #133): the frame that was encoded went back to the pool in the body
// and again in the finally, so parallel transcodings shared one array. The fix dropped the return in the body.
using System;
using System.Buffers;

internal unsafe class JpegLsCodec
{
    private const int FileThreshold = 4096;

    public void Encode(PixelData old, PixelData result)
    {
        for (int frame = 0; frame < old.FrameCount; frame++)
        {
            var pool = ArrayPool<byte>.Shared;
            byte[]? encoded = null;
            byte[] raw = old.GetFrame(frame);

            encoded = pool.Rent(raw.Length);

            try
            {
                fixed (byte* destination = encoded)
                {
                    uint size = 0;
                    int error = NativeEncoder.Encode(destination, (uint)encoded.Length, &size, raw);
                    if (error != 0)
                    {
                        throw new CodecException("error " + error);
                    }

                    byte[] exact = new byte[size];
                    Array.Copy(encoded, exact, exact.Length);
                    pool.Return(encoded);

                    FrameBuffer buffer;
                    if (size >= FileThreshold || old.FrameCount > 1)
                    {
                        buffer = new FileBuffer(exact);
                    }
                    else
                    {
                        buffer = new FrameBuffer(exact);
                    }

                    result.AddFrame(buffer);
                }
            }
            catch (CodecException e)
            {
                throw new CodecException(e.Message + " => " + e.StackTrace);
            }
            catch (Exception e)
            {
                throw new CodecException(e.Message + " => " + e.StackTrace);
            }
            finally
            {
                if (encoded != null)
                {
                    pool.Return(encoded); // expect TARN001
                    encoded = null;
                }
            }
        }
    }
}

internal static unsafe class NativeEncoder
{
    public static int Encode(byte* destination, uint capacity, uint* size, byte[] raw)
    {
        *size = Math.Min(capacity, (uint)raw.Length);
        return 0;
    }
}

internal class FrameBuffer(byte[] data)
{
    public byte[] Data { get; } = data;
}

internal class FileBuffer(byte[] data) : FrameBuffer(data);

internal class CodecException(string message) : Exception(message);

internal class PixelData
{
    public int FrameCount { get; set; }

    public byte[] GetFrame(int index) => new byte[index + 1];

    public void AddFrame(FrameBuffer buffer) => FrameCount++;
}
