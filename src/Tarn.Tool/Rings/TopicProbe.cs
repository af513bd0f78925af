using Tarn.SharedMemory;

namespace Tarn.Tool.Rings;

/// <summary>Reads topics. Their positions count messages. Readers that hold the writer back are told; others leave no trace.</summary>
internal sealed class TopicProbe : ContentsProbe
{
    public override unsafe RegionContents Read(RegionReading region)
    {
        int capacity = TopicHeader.CapacityOf(region.Size, region.Longest)
            ?? throw new InvalidDataException(
                $"its header is damaged: no topic of messages of up to {region.Longest} bytes takes {region.Size} bytes");

        // No reader is ever beyond the writer, so none of the first reading is beyond the writer of the second one.
        TopicHeader before = region.Read<TopicHeader>();
        TopicHeader header = region.Read<TopicHeader>();
        if (header.Tail is < 0 or > TopicHeader.MostPosition)
        {
            throw new InvalidDataException($"its position is damaged: {header.Tail}");
        }

        List<RegionSide> sides =
        [
            region.Side("writer", header.Writer, RegionSeat.Writer, header.Namespace, header.HasManyKernels) with
            {
                Position = header.Tail,
            },
        ];
        for (int member = 0; member < RegionHeader.MostMembers; member++)
        {
            if ((before.Holders & header.Holders & (1ul << member)) == 0)
            {
                continue;
            }

            long position = before.Positions[member * TopicHeader.LongsPerPosition];
            if (position < 0 || position > header.Tail)
            {
                throw new InvalidDataException($"its positions are damaged: a reader is at {position}, and the writer at {header.Tail}");
            }

            sides.Add(
                region.Side("reader", header.Members[member], RegionSeat.Member + member, header.Namespace, header.HasManyKernels) with
                {
                    Position = position,
                    Lag = Math.Min(header.Tail - position, capacity),
                });
        }

        return new RegionContents
        {
            Unit = "messages",
            Capacity = capacity,
            LongestBytes = region.Longest,
            Sides = sides,
            WritePosition = header.Tail,
            ReadPosition = null,
            Lag = sides.Max(static side => side.Lag),
        };
    }
}
