using Tarn.SharedMemory;

namespace Tarn.Tool.Rings;

/// <summary>Reads values. Their version counts those that were written; readers leave no trace.</summary>
internal sealed class ValueProbe : ContentsProbe
{
    public override RegionContents Read(RegionReading region)
    {
        if (region.Longest <= 0 || ValueHeader.RegionSize(region.Longest) != region.Size)
        {
            throw new InvalidDataException($"its header is damaged: no value of {region.Longest} bytes takes {region.Size} bytes");
        }

        ValueHeader header = region.Read<ValueHeader>();
        if (header.Version < 0)
        {
            throw new InvalidDataException($"its version is damaged: {header.Version}");
        }

        return new RegionContents
        {
            Unit = "values",
            Capacity = null,
            LongestBytes = region.Longest,
            Sides =
            [
                region.Side("writer", header.Writer, RegionSeat.Writer, header.Namespace, header.HasManyKernels) with
                {
                    Position = header.Version,
                },
            ],
            WritePosition = header.Version,
            ReadPosition = null,
            Lag = null,
        };
    }
}
