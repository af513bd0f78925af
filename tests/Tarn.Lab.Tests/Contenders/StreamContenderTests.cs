using System.Security.Cryptography;
using Tarn.Lab.Contenders;
using Tarn.Lab.Contenders.Streams;
using Tarn.Lab.Model;

namespace Tarn.Lab.Tests.Contenders;

public class StreamContenderTests
{
    [Fact]
    public void Ours_comes_first_then_the_BCLs_and_the_peers_of_this_build()
    {
        string[] others = StreamPeers.AreAllBuilt ? [StreamNames.Recyclable, StreamNames.Slim] : [StreamNames.Recyclable];

        Assert.Equal([StreamNames.Bcl, .. others], StreamPeers.Names);
        Assert.Equal([StreamNames.Tarn, .. StreamPeers.Names], StreamContenders.Names);
        Assert.Equal(StreamContenders.Names, StreamContenders.Create(zeroed: true).Select(contender => contender.Name));
        Assert.Equal(
            StreamContenders.Names.Select(StreamNames.Sized),
            StreamContenders.Create(isSizeKnown: true).Select(contender => contender.Name));
    }

    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public void Every_contender_keeps_the_contents_of_two_streams_apart(bool isSizeKnown, bool zeroed)
    {
        byte[] first = RandomNumberGenerator.GetBytes(200_000);
        byte[] second = RandomNumberGenerator.GetBytes(200_000);

        Assert.All(
            StreamContenders.Create(isSizeKnown, zeroed),
            contender => Assert.Equal(contender.Name, contender.Accept(new Kept(first, second))));
    }

    [Fact]
    public void Streams_that_receive_the_size_have_room_for_it_and_the_others_do_not()
    {
        Assert.All(
            StreamContenders.Create(isSizeKnown: true),
            contender => Assert.InRange(contender.Accept(new Room(1 << 20)), 1 << 20, int.MaxValue));
        Assert.All(StreamContenders.Create(), contender => Assert.InRange(contender.Accept(new Room(1 << 20)), 0, 128 << 10));
    }

    [Fact]
    public void A_build_says_which_peers_it_has_and_which_it_lacks()
    {
        Assert.Equal(StreamPeers.AreAllBuilt, StreamPeers.SlimVersion is not null);
        Assert.Equal(StreamPeers.AreAllBuilt, StreamPeers.DescribeMissing().Length == 0);
        Assert.True(StreamPeers.AreAllBuilt || StreamPeers.DescribeMissing().Contains(StreamNames.Slim, StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(StreamNames.Tarn, "pooledmemorystream", true)]
    [InlineData(StreamNames.TarnNative, "pooledmemorystream-native-heap", true)]
    [InlineData(StreamNames.TarnParallel, "pooledmemorystream-parallel-copy", true)]
    [InlineData(StreamNames.Bcl, "memorystream", false)]
    [InlineData(StreamNames.Recyclable, "recyclablememorystream", false)]
    [InlineData(StreamNames.Slim, "memorystreamslim", false)]
    [InlineData(StreamNames.TwoCopies, "two-copies", false)]
    public void A_name_identifies_its_contender_and_has_an_id(string name, string id, bool ours)
    {
        Assert.Equal(ours ? SeriesRole.Ours : SeriesRole.Peer, PoolNames.RoleOf(name));
        Assert.Equal(PoolNames.RoleOf(name), PoolNames.RoleOf(StreamNames.Sized(name)));
        Assert.Equal(id, NativeNames.Id(name));
        Assert.Equal(id + "-size-known", NativeNames.Id(StreamNames.Sized(name)));
    }

    /// <summary>Fills two streams by turns and reads both; the name when each gives back its own.</summary>
    private sealed class Kept(byte[] first, byte[] second) : IStreamVisitor<string>
    {
        private const int Piece = 1_000;

        public string Visit<TMaker>(string name, TMaker maker)
            where TMaker : struct, IStreamMaker
        {
            using Stream one = maker.Create(first.Length);
            using Stream other = maker.Create(second.Length);
            for (int done = 0; done < first.Length; done += Piece)
            {
                one.Write(first, done, Piece);
                other.Write(second, done, Piece);
            }

            return Read(one).SequenceEqual(first) && Read(other).SequenceEqual(second) ? name : $"{name} mixed up two streams";
        }

        private static byte[] Read(Stream stream)
        {
            var read = new byte[stream.Length];
            stream.Position = 0;
            stream.ReadExactly(read);
            return read;
        }
    }

    private sealed class Room(int size) : IStreamVisitor<int>
    {
        public int Visit<TMaker>(string name, TMaker maker)
            where TMaker : struct, IStreamMaker
        {
            using var stream = (MemoryStream)maker.Create(size);
            return stream.Capacity;
        }
    }
}
