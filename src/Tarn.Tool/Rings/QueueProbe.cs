using Tarn.SharedMemory;

namespace Tarn.Tool.Rings;

/// <summary>Reads queues. Their positions count messages.</summary>
internal sealed class QueueProbe : ContentsProbe
{
    public override RegionContents Read(RegionReading region)
    {
        int capacity = QueueHeader.CapacityOf(region.Size, region.Longest)
            ?? throw new InvalidDataException(
                $"its header is damaged: no queue of messages of up to {region.Longest} bytes takes {region.Size} bytes");
        long readBefore = region.Read<QueueHeader>().Head;
        QueueHeader header = region.Read<QueueHeader>();
        long readAfter = region.Read<QueueHeader>().Head;

        // Readers may pass the place that a writer has claimed before it moves the tail.
        long lag = LagOf(header.Tail, readBefore, readAfter, ahead: 1, capacity);
        return new RegionContents
        {
            Unit = "messages",
            Capacity = capacity,
            LongestBytes = region.Longest,
            Sides = [.. Members(region, header)],
            WritePosition = header.Tail,
            ReadPosition = readAfter,
            Lag = lag,
            Skipped = header.Skipped,
            Returned = header.Returned,
        };
    }

    private static unsafe List<RegionSide> Members(RegionReading region, QueueHeader header)
    {
        List<RegionSide> members = [];
        for (int member = 0; member < RegionHeader.MostMembers; member++)
        {
            RegionSide side = region.Side(
                "member", header.Members[member], RegionSeat.Member + member, header.Namespace, header.HasManyKernels);
            if (side.State is not (SideState.Nobody or SideState.Left))
            {
                members.Add(side);
            }
        }

        return members;
    }
}
