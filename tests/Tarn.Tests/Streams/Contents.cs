namespace Tarn.Tests.Streams;

/// <summary>Bytes to write, and where to look for them.</summary>
internal static class Contents
{
    /// <summary>Lengths around the ends of a stream's first segments, and some with many.</summary>
    internal static int[] Lengths { get; } =
        [1, 2, 255, 256, 257, 1023, 1024, 1025, 4095, 4096, 4097, 5000, 8192, 8193, 70_000, 262_144, 1_500_001];

    /// <summary>As many bytes, none of them zero, no long run of them twice.</summary>
    internal static byte[] Of(int length, int seed = 1)
    {
        byte[] bytes = new byte[length];
        new Random(seed).NextBytes(bytes);
        bytes.AsSpan().Replace((byte)0, (byte)1);
        return bytes;
    }

    /// <summary>Writes in pieces of <paramref name="piece"/> bytes.</summary>
    internal static void WriteInPieces(Stream stream, ReadOnlySpan<byte> bytes, int piece)
    {
        while (!bytes.IsEmpty)
        {
            int count = Math.Min(piece, bytes.Length);
            stream.Write(bytes[..count]);
            bytes = bytes[count..];
        }
    }

    /// <summary>The stream holds these bytes, by every member that shows them; its position stays.</summary>
    internal static void Verify(MemoryStream stream, ReadOnlySpan<byte> expected)
    {
        long position = stream.Position;
        Assert.Equal(expected.Length, stream.Length);
        Assert.True(expected.SequenceEqual(stream.ToArray()), "ToArray shows something else.");
        byte[] read = new byte[expected.Length + 1];
        stream.Position = 0;
        Assert.Equal(expected.Length, stream.Read(read));
        Assert.True(expected.SequenceEqual(read.AsSpan(0, expected.Length)), "Read shows something else.");
        Assert.Equal(0, stream.Read(read));
        stream.Position = position;
    }
}
