using System.IO.Compression;

namespace Tarn.Integrations.Tests.Moves;

public sealed class MemoryStreamMoves
{
    [Fact]
    public void A_local_stream_does_what_it_did()
    {
        byte[] bytes = new byte[100_000];
        Assert.Equal(Unzip(ZipBefore(bytes)), Unzip(ZipAfter(bytes)));
        Assert.Equal(bytes, Unzip(ZipAfter(bytes)));
    }

    [Fact]
    public void A_body_is_sent_without_a_copy()
    {
        MemoryStream before = new();
        MemoryStream after = new();
        SendBefore(before);
        SendAfter(after);
        Assert.Equal(before.ToArray(), after.ToArray());
        Assert.Equal(3, after.Length);
    }

    #region MemoryStream, closed by a writer, before
    private static byte[] ZipBefore(byte[] bytes)
    {
        MemoryStream zipped = new();
        using (GZipStream zip = new(zipped, CompressionLevel.Fastest))
        {
            zip.Write(bytes);
        }

        return zipped.ToArray();
    }
    #endregion

    #region MemoryStream, closed by a writer, after
    private static byte[] ZipAfter(byte[] bytes)
    {
        using PooledMemoryStream zipped = new();
        using (GZipStream zip = new(zipped, CompressionLevel.Fastest, leaveOpen: true))
        {
            zip.Write(bytes);
        }

        return zipped.ToArray();
    }
    #endregion

    #region MemoryStream, array, before
    private static void SendBefore(Stream target)
    {
        MemoryStream body = new();
        body.Write([1, 2, 3]);
        target.Write(body.GetBuffer(), 0, (int)body.Length);
    }
    #endregion

    #region MemoryStream, array, after
    private static void SendAfter(Stream target)
    {
        using PooledMemoryStream body = new();
        body.Write([1, 2, 3]);
        body.WriteTo(target);
    }
    #endregion

    private static byte[] Unzip(byte[] zipped)
    {
        using GZipStream zip = new(new MemoryStream(zipped), CompressionMode.Decompress);
        using MemoryStream bytes = new();
        zip.CopyTo(bytes);
        return bytes.ToArray();
    }
}
