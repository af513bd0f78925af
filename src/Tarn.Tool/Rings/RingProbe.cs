using System.Buffers;
using System.Buffers.Binary;
using System.Diagnostics;
using Tarn.SharedMemory;

namespace Tarn.Tool.Rings;

/// <summary>Reads rings. Their positions count bytes, so their messages are counted record by record.</summary>
internal sealed class RingProbe : ContentsProbe
{
    /// <summary>The bytes of records that are read to count messages.</summary>
    private const int MostCounted = 1 << 20;

    /// <summary>How often to count anew when the writer overtook the count.</summary>
    private const int MostAttempts = 5;

    /// <summary>A ring that was full of messages a moment ago sends none for longer only if it has stopped.</summary>
    private static readonly TimeSpan s_longestMoment = TimeSpan.FromMilliseconds(5);

    public override RegionContents Read(RegionReading region)
    {
        int capacity = RingHeader.CapacityOf(region.Size)
            ?? throw new InvalidDataException($"its header is damaged: no ring takes {region.Size} bytes");
        long readBefore = region.Read<RingHeader>().ReadPosition;
        RingHeader header = region.Read<RingHeader>();
        long written = header.WritePosition;
        long readAfter = region.Read<RingHeader>().ReadPosition;
        if (written % RingHeader.RecordAlignment != 0 || readAfter % RingHeader.RecordAlignment != 0)
        {
            throw new InvalidDataException(
                $"its positions are damaged: {written} written and {readAfter} read, of which each must be a multiple of "
                + $"{RingHeader.RecordAlignment}");
        }

        long lag = LagOf(written, readBefore, readAfter, ahead: 0, capacity);
        return new RegionContents
        {
            Unit = "bytes",
            Capacity = capacity,
            LongestBytes = RingHeader.LongestMessage(capacity),
            Sides =
            [
                region.Side("writer", header.Writer, RegionSeat.Writer, header.Namespace, header.HasManyKernels) with
                {
                    Position = written,
                },
                region.Side("reader", header.Reader, RegionSeat.Reader, header.Namespace, header.HasManyKernels) with
                {
                    Position = readAfter, Lag = lag,
                },
            ],
            WritePosition = written,
            ReadPosition = readAfter,
            Lag = lag,
        };
    }

    public override RegionRate RateOf(RegionContents before, RegionContents now, double seconds, RegionReading region)
    {
        long bytes = now.WritePosition - before.WritePosition;
        if (bytes == 0)
        {
            return new RegionRate(0, 0, IsEstimated: false);
        }

        // What lies a capacity before the write position is overwritten. Then some messages of this moment stand for all.
        int capacity = (int)now.Capacity!.Value;
        (long records, long counted) = bytes < capacity ? Count(region, before.WritePosition, now.WritePosition, capacity) : (0, 0);
        for (int attempt = 0; attempt < MostAttempts && records == 0; attempt++)
        {
            (long start, long end) = AwaitMessages(region);
            (records, counted) = Count(region, start, end, capacity);
        }

        return records == 0
            ? new RegionRate(null, bytes / seconds, IsEstimated: false)
            : new RegionRate(records * ((double)bytes / counted) / seconds, bytes / seconds, IsEstimated: counted != bytes);
    }

    /// <summary>Waits a moment for messages; returns the positions where they begin and end.</summary>
    private static (long Start, long End) AwaitMessages(RegionReading region)
    {
        long start = region.Read<RingHeader>().WritePosition;
        long end = start;
        for (long from = Stopwatch.GetTimestamp(); end == start && Stopwatch.GetElapsedTime(from) < s_longestMoment;)
        {
            end = region.Read<RingHeader>().WritePosition;
        }

        return (start, end);
    }

    /// <summary>Counts records from a position on, and their bytes; 0 if they were overwritten meanwhile, or are damaged.</summary>
    private static (long Records, long Bytes) Count(RegionReading region, long start, long end, int capacity)
    {
        byte[] bytes = ArrayPool<byte>.Shared.Rent((int)Math.Min(capacity, MostCounted));
        try
        {
            (long position, long records) = (start, 0);
            while (position < end && position - start < MostCounted)
            {
                int place = (int)(position & (capacity - 1));
                Span<byte> part = bytes.AsSpan(0, (int)Math.Min(Math.Min(end - position, bytes.Length), capacity - place));
                part = part[..region.Read(RingHeader.Length + place, part)];
                int at = 0;
                for (; at + RingHeader.RecordAlignment <= part.Length; records++)
                {
                    int message = BinaryPrimitives.ReadInt32LittleEndian(part[at..]);
                    if (message < 0 || message > RingHeader.LongestMessage(capacity)
                        || position + at + RingHeader.RecordSize(message) > end)
                    {
                        return (0, 0);
                    }

                    at += RingHeader.RecordSize(message);
                }

                if (at == 0)
                {
                    return (0, 0);
                }

                position += at;
            }

            return region.Read<RingHeader>().WritePosition - start <= capacity ? (records, position - start) : (0, 0);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(bytes);
        }
    }
}
