using Microsoft.IO;

namespace Tarn.Integrations.Tests.Moves;

public sealed class RecyclableMoves
{
    [Fact]
    public void A_stream_with_a_tag_does_what_it_did()
    {
        Assert.Equal(Before.Frame([1, 2, 3]), After.Frame([1, 2, 3]));
        Assert.Equal([3, 0, 0, 0, 1, 2, 3], After.Frame([1, 2, 3]));
    }

    [Fact]
    public void Exceptions_differ_where_the_page_says_so()
    {
        RecyclableMemoryStream before = new RecyclableMemoryStreamManager(new() { MaximumStreamCapacity = 1 << 20 }).GetStream();
        PooledMemoryStream after = new(new PooledMemoryStreamOptions { MaxCapacity = 1 << 20 });
        byte[] tooMuch = new byte[(1 << 20) + 1];
        Assert.ThrowsAny<Exception>(() => before.Write(tooMuch));
        Assert.Throws<IOException>(() => after.Write(tooMuch));
        Assert.Equal(0, after.Length);
        before.Dispose();
        after.Dispose();
        after.Dispose();
        Assert.Throws<ObjectDisposedException>(() => before.ToArray());
        Assert.Throws<ObjectDisposedException>(() => after.ToArray());
    }

    #region RecyclableMemoryStream, before
    private static class Before
    {
        private static readonly RecyclableMemoryStreamManager s_streams = new(new RecyclableMemoryStreamManager.Options
        {
            MaximumSmallPoolFreeBytes = 64 << 20,
            MaximumLargePoolFreeBytes = 64 << 20,
            MaximumStreamCapacity = 1 << 30,
        });

        internal static byte[] Frame(byte[] payload)
        {
            using RecyclableMemoryStream stream = s_streams.GetStream("frame");
            stream.Write(BitConverter.GetBytes(payload.Length));
            stream.Write(payload);
            return stream.ToArray();
        }
    }
    #endregion

    #region RecyclableMemoryStream, after
    private static class After
    {
        private static readonly PooledMemoryStreamOptions s_frames = new()
        {
            Pool = BufferPool<byte>.Create(new BufferPoolOptions { Name = "streams", MaxRetainedBytes = 128 << 20 }),
            MaxCapacity = 1 << 30,
            Tag = "frame",
        };

        internal static byte[] Frame(byte[] payload)
        {
            using PooledMemoryStream stream = new(s_frames);
            stream.Write(BitConverter.GetBytes(payload.Length));
            stream.Write(payload);
            return stream.ToArray();
        }
    }
    #endregion
}
