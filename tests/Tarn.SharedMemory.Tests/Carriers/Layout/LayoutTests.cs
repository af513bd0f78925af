using System.Buffers.Binary;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Text;

namespace Tarn.SharedMemory.Tests.Carriers.Layout;

/// <summary>docs/shared-memory-layout.md says what the library does, and what is in regions that were recorded.</summary>
public sealed class LayoutTests
{
    private const string Region = "Fields of a region";

    [Theory]
    [InlineData(Region, typeof(RegionHeader))]
    [InlineData("Fields of a ring", typeof(RingHeader))]
    [InlineData("Fields of a queue", typeof(QueueHeader))]
    [InlineData("Fields of a value", typeof(ValueHeader))]
    [InlineData("Fields of a topic", typeof(TopicHeader))]
    public void The_page_names_every_field_where_it_is(string heading, Type header)
    {
        List<(int, int, string)> inCode = [];
        foreach (FieldInfo field in header.GetFields(BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public))
        {
            int offset = (int)Marshal.OffsetOf(header, field.Name);
            if (field.FieldType == typeof(Sleeper))
            {
                inCode.Add((offset, sizeof(uint), $"{field.Name}.Signal"));
                inCode.Add((offset + sizeof(uint), sizeof(int), $"{field.Name}.IsAsleep"));
            }
            else
            {
                Type type = field.FieldType.IsEnum ? field.FieldType.GetEnumUnderlyingType() : field.FieldType;
                inCode.Add((offset, Marshal.SizeOf(type), field.Name));
            }
        }

        Assert.Equal(inCode.Order(), LayoutPage.FieldsOf(heading).Select(field => (field.Offset, field.Bytes, field.Name)));
    }

    [Fact]
    public void The_page_numbers_kinds_slots_and_seats_as_the_library_does()
    {
        Assert.Equal(NumbersOf<RegionKind>(), NamesBelow("Kinds"));
        Assert.Equal(NumbersOf<SlotKind>(), NamesBelow("Slots"));
        Assert.Equal(NumbersOf<NumberKind>(), NamesBelow("Kinds of numbers"));
        Assert.Equal(
            [
                (RegionSeat.Creator, nameof(RegionSeat.Creator)), (RegionSeat.Writer, nameof(RegionSeat.Writer)),
                (RegionSeat.Reader, nameof(RegionSeat.Reader)), (RegionSeat.Member, nameof(RegionSeat.Member)),
            ],
            NamesBelow("Roles"));
    }

    /// <summary>Every byte is what a table, a record, a slot or a copy says, or zero.</summary>
    [SkippableFact]
    public void A_recorded_ring_is_as_the_page_says()
    {
        RecordedBytes bytes = new("ring", "Fields of a ring");
        const int Capacity = 64;
        Assert.Equal(1_024 + Capacity + 8 + (Capacity / 2), bytes.Size);
        string[] messages = ["first", "the second", "over the end"];
        int position = 16;
        foreach (string message in messages)
        {
            int at = 4_096 + 1_024 + (position % Capacity);
            bytes.Take(at, BitConverter.GetBytes(message.Length));
            bytes.Take(at + 8, Encoding.ASCII.GetBytes(message));
            position += 8 + ((message.Length + 7) / 8 * 8);
        }

        Assert.Equal(80, position);

        // What was passed is still there.
        bytes.Take(4_096 + 1_024, BitConverter.GetBytes(4));
        bytes.Take(4_096 + 1_024 + 8, "zero"u8);
        bytes.AssertRestIsZero();
    }

    [SkippableFact]
    public void A_recorded_queue_is_as_the_page_says()
    {
        RecordedBytes bytes = new("queue", "Fields of a queue");
        const int Slot = 64;
        const int First = 4_096 + 1_536;
        Assert.Equal((2, 16), (bytes.Number(12), bytes.Number(76)));
        Assert.Equal(1_536 + (2 * Slot), bytes.Size);
        Assert.Equal(new RoleHolder((4711UL << 32) | 1).WhenLeft.Value, (ulong)bytes.Long(4_096 + 640));
        bytes.Take(4_096 + 640, BitConverter.GetBytes(bytes.Long(4_096 + 640)));

        // The third message in turn 1 of the first slot, the second in turn 0 of the second slot.
        foreach ((int slot, long turn, string message) in ((int, long, string)[])[(0, 1, "the third"), (1, 0, "two")])
        {
            bytes.Take(First + (slot * Slot), BitConverter.GetBytes((turn << 9) | 2));
            bytes.Take(First + (slot * Slot) + 8, BitConverter.GetBytes(message.Length));
            bytes.Take(First + (slot * Slot) + 16, Encoding.ASCII.GetBytes(message));
        }

        bytes.AssertRestIsZero();
    }

    [SkippableFact]
    public void A_recorded_value_is_as_the_page_says()
    {
        RecordedBytes bytes = new("value", "Fields of a value");
        Assert.Equal((3, 8), (bytes.Number(12), bytes.Number(76)));
        Assert.Equal(512 + (8 * 64), bytes.Size);
        bytes.Take(4_096 + 512 + 64, BitConverter.GetBytes(41L));
        bytes.Take(4_096 + 512 + 128, BitConverter.GetBytes(42L));
        bytes.AssertRestIsZero();
    }

    [SkippableFact]
    public void A_recorded_topic_is_as_the_page_says()
    {
        RecordedBytes bytes = new("topic", "Fields of a topic");
        const int Slot = 24;
        const int First = 4_096 + 8_960;
        Assert.Equal((4, 16), (bytes.Number(12), bytes.Number(76)));
        Assert.Equal(8_960 + ((2 + 1) * Slot), bytes.Size);
        Assert.Equal(new RoleHolder((4711UL << 32) | 1).WhenLeft.Value, (ulong)bytes.Long(4_096 + 768));
        bytes.Take(4_096 + 768, BitConverter.GetBytes(bytes.Long(4_096 + 768)));

        // The fourth message is in the first of three slots.
        foreach ((int slot, string message) in ((int, string)[])[(0, "fourth"), (1, "two"), (2, "the third")])
        {
            bytes.Take(First + (slot * Slot), BitConverter.GetBytes(message.Length));
            bytes.Take(First + (slot * Slot) + 8, Encoding.ASCII.GetBytes(message));
        }

        bytes.AssertRestIsZero();
    }

    /// <summary>If this fails, the layout has changed: raise the version, in the page too, and record the regions again.</summary>
    [SkippableFact]
    public void The_library_reads_what_it_recorded()
    {
        using RegionDirectory directory = RegionDirectory.Create("linux");
        foreach (string kind in (string[])["ring", "queue", "value", "topic"])
        {
            File.WriteAllBytes(directory.FileOf(kind), RecordedRegion.Read(kind));
        }

        byte[] buffer = new byte[32];
        using SharedRing ring = SharedRing.Open(directory.Names, "ring");
        foreach (string message in (string[])["first", "the second", "over the end"])
        {
            Assert.Equal(message, Encoding.ASCII.GetString(buffer, 0, ring.Read(buffer)));
        }

        using SharedQueue queue = SharedQueue.Open(directory.Names, "queue");
        foreach (string message in (string[])["two", "the third"])
        {
            Assert.True(queue.TryRead(buffer, out int length));
            Assert.Equal(message, Encoding.ASCII.GetString(buffer, 0, length));
        }

        using SharedTopic topic = SharedTopic.Open(directory.Names, "topic");
        using SharedTopicReader reader = topic.OpenReader(fromOldest: true);
        foreach (string message in (string[])["the third", "fourth"])
        {
            Assert.True(reader.TryRead(buffer, out int length));
            Assert.Equal(message, Encoding.ASCII.GetString(buffer, 0, length));
        }

        using SharedRegion value = SharedRegion.Open(directory.Names, "value", RegionKind.Value);
        Assert.Equal(2, BinaryPrimitives.ReadInt64LittleEndian(value.GetSpan(128, 8)));
    }

    private static List<(int, string)> NumbersOf<T>()
        where T : struct, Enum => [.. Enum.GetValues<T>().Select(static kind => (Convert.ToInt32(kind, null), kind.ToString()))];

    /// <summary>The numbers of a table and the names in backticks beside them.</summary>
    private static List<(int, string)> NamesBelow(string heading) =>
        [.. LayoutPage.TableOf(heading).Select(static row => ((int)LayoutPage.Number(row[0]), row[1].Split('`')[1]))];

    /// <summary>The bytes of a recorded region, of which the tables of the page are taken first.</summary>
    private sealed class RecordedBytes
    {
        private readonly byte[] _bytes;
        private readonly bool[] _isTaken;

        internal RecordedBytes(string kind, string heading)
        {
            _bytes = RecordedRegion.Read(kind);
            _isTaken = new bool[_bytes.Length];
            foreach (LayoutPage.Field field in LayoutPage.FieldsOf(Region))
            {
                // The column is of the ring; the others differ in kind, size and longest.
                bool isOfRing = field.Name is nameof(RegionHeader.Kind) or nameof(RegionHeader.Size) or nameof(RegionHeader.Longest);
                Take(field.Offset, isOfRing && kind != "ring" ? _bytes.AsSpan(field.Offset, field.Bytes) : field.Value());
            }

            foreach (LayoutPage.Field field in LayoutPage.FieldsOf(heading))
            {
                Take(RegionHeader.Length + field.Offset, field.Value());
            }

            Assert.Equal(RegionHeader.Length + Size, _bytes.Length);
        }

        internal long Size => Long(16);

        internal int Number(int at) => BinaryPrimitives.ReadInt32LittleEndian(_bytes.AsSpan(at));

        internal long Long(int at) => BinaryPrimitives.ReadInt64LittleEndian(_bytes.AsSpan(at));

        internal void Take(int at, ReadOnlySpan<byte> expected)
        {
            Assert.True(expected.SequenceEqual(_bytes.AsSpan(at, expected.Length)),
                $"At {at} the page says {Convert.ToHexString(expected)}, and there is {Convert.ToHexString(_bytes, at, expected.Length)}.");
            _isTaken.AsSpan(at, expected.Length).Fill(true);
        }

        internal void AssertRestIsZero()
        {
            for (int at = 0; at < _bytes.Length; at++)
            {
                Assert.True(_isTaken[at] || _bytes[at] == 0, $"At {at} is {_bytes[at]}, and nothing on the page says so.");
            }
        }
    }
}
