using System.Runtime.InteropServices;
using System.Text;
using Tarn.Tests.Tidy;

namespace Tarn.SharedMemory.Tests.Carriers.Layout;

/// <summary>A region as version 2 wrote it, in the folder of these tests.</summary>
internal static class RecordedRegion
{
    /// <summary>Set, it has the tests record the regions again, as for a new version.</summary>
    private const string WriteVariable = "TARN_WRITE_REGIONS";

    private static readonly SharedRegionOptions s_kept = new() { DeleteOnDispose = false };

    /// <summary>The process that recorded regions, for which there is no process any more.</summary>
    private const ulong Process = (4711UL << 32) | 1;

    internal static string PathOf(string kind) => Repository.At($"tests/Tarn.SharedMemory.Tests/Carriers/Layout/{kind}.region");

    internal static byte[] Read(string kind)
    {
        if (Environment.GetEnvironmentVariable(WriteVariable) is not null)
        {
            using RegionDirectory directory = RegionDirectory.Create("linux");
            Record(directory.Names, kind);
            byte[] region = File.ReadAllBytes(directory.FileOf(kind));
            RemoveChance(region, kind);
            File.WriteAllBytes(PathOf(kind), region);
        }

        return File.ReadAllBytes(PathOf(kind));
    }

    private static void Record(NamedMemory names, string kind)
    {
        switch (kind)
        {
            case "ring":
                using (SharedRing ring = SharedRing.Create(names, kind, 64, s_kept))
                {
                    ring.Write("zero"u8);
                    _ = ring.Read(new byte[32]);
                    ring.Write("first"u8);
                    ring.Write("the second"u8);
                    ring.Write("over the end"u8);
                }

                break;
            case "queue":
                using (SharedQueue queue = SharedQueue.Create(names, kind, 2, 16, s_kept))
                {
                    Assert.True(queue.TryWrite("one"u8) && queue.TryWrite("two"u8) && queue.TryRead(new byte[16], out _));
                    Assert.True(queue.TryWrite("the third"u8));
                }

                break;
            case "topic":
                using (SharedTopic topic = SharedTopic.Create(names, kind, 2, 16, s_kept))
                using (SharedTopicReader reader = topic.OpenReader(holdsWriter: true))
                {
                    foreach (string message in (string[])["one", "two", "the third"])
                    {
                        Assert.True(topic.TryWrite(Encoding.ASCII.GetBytes(message)) && reader.TryRead(new byte[16], out _));
                    }

                    Assert.True(topic.TryWrite("fourth"u8));
                }

                break;
            default:
                using (SharedValue<long> value = SharedValue<long>.Create(names, kind, s_kept))
                {
                    value.Write(41);
                    value.Write(42);
                }

                break;
        }
    }

    /// <summary>Replaces what differs from one recording to the next.</summary>
    private static unsafe void RemoveChance(byte[] region, string kind)
    {
        ref RegionHeader header = ref MemoryMarshal.AsRef<RegionHeader>(region.AsSpan());
        (header.Owner, header.OwnerNamespace, header.Device, header.Index) = (new ProcessIdentity(Process), 4_026_531_836, 26, 12_345);
        header.Id = new Guid([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
        Span<byte> contents = region.AsSpan(RegionHeader.Length);
        ulong left = new RoleHolder(Process).WhenLeft.Value;
        switch (kind)
        {
            case "ring":
                ref RingHeader ring = ref MemoryMarshal.AsRef<RingHeader>(contents);
                (ring.Writer, ring.Reader) = (left, left);
                break;
            case "queue":
                ref QueueHeader queue = ref MemoryMarshal.AsRef<QueueHeader>(contents);
                queue.Members[0] = left;
                break;
            case "topic":
                ref TopicHeader topic = ref MemoryMarshal.AsRef<TopicHeader>(contents);
                (topic.Writer, topic.Members[0]) = (left, left);
                break;
            default:
                MemoryMarshal.AsRef<ValueHeader>(contents).Writer = left;
                break;
        }
    }
}
