using System;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Threading.Tasks;

// TARN101 is off by default. It is reported only if nothing depends on what a MemoryStream keeps after its disposal.
static class Streams
{
    static byte[] Copied(Stream source)
    {
        using var stream = new MemoryStream(); // expect TARN101
        source.CopyTo(stream);
        stream.Position = 0;
        return stream.ToArray();
    }

    static async Task<long> CopiedAsync(Stream source)
    {
        await using MemoryStream stream = new(1000); // expect TARN101
        await source.CopyToAsync(stream);
        return stream.Length;
    }

    static byte[] LeftOpen(string text)
    {
        using (var stream = new MemoryStream()) // expect TARN101
        {
            using (StreamWriter writer = new(stream, leaveOpen: true))
            {
                writer.Write(text);
            }

            return stream.ToArray();
        }
    }

    static long ClosedBeforeTheEnd(string text)
    {
        using var stream = new MemoryStream(); // expect TARN101
        using StreamWriter writer = new(stream);
        writer.Write(text);
        return text.Length;
    }

    // ToArray of a closed MemoryStream works.
    static byte[] ClosedBeforeToArray(byte[] bytes)
    {
        using var stream = new MemoryStream();
        using (GZipStream zip = new(stream, CompressionLevel.Fastest))
        {
            zip.Write(bytes);
        }

        return stream.ToArray();
    }

    static byte[] ClosedByAnother()
    {
        using var stream = new MemoryStream();
        Fill(stream);
        return stream.ToArray();
    }

    static byte[] ClosedByAnExtension()
    {
        using var stream = new MemoryStream();
        stream.FillMore();
        return stream.ToArray();
    }

    static byte[] Buffer(Stream source)
    {
        using var stream = new MemoryStream();
        source.CopyTo(stream);
        return stream.GetBuffer();
    }

    static bool Segment(out ArraySegment<byte> segment)
    {
        using var stream = new MemoryStream();
        return stream.TryGetBuffer(out segment);
    }

    static int OverAnArray(byte[] bytes)
    {
        using var stream = new MemoryStream(bytes);
        return stream.ReadByte();
    }

    static Stream NotDisposed()
    {
        var stream = new MemoryStream();
        return stream;
    }

    static void Kept(List<MemoryStream> streams)
    {
        using var stream = new MemoryStream();
        streams.Add(stream);
    }

    static Func<byte[]> Captured()
    {
        using var stream = new MemoryStream();
        return () => stream.ToArray();
    }

    static void Assigned()
    {
        using var stream = new MemoryStream();
        Stream other = stream;
        other.WriteByte(1);
    }

    static int Room()
    {
        using var stream = new MemoryStream();
        return stream.Capacity;
    }

    static void Fill(Stream stream)
    {
    }

    static void FillMore(this MemoryStream stream)
    {
    }
}
