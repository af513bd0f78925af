using Tarn.SharedMemory;
using Tarn.Tool.Rings;

namespace Tarn.Tool.Tests.Rings;

/// <summary>Shared memory of a shop's services, for pictures and for views of some width.</summary>
internal static class SampleRings
{
    private static readonly RegionSide s_camera = new("creator", SideState.Running, 4711, "Shop.Camera");

    internal static RingsSnapshot Build() => new()
    {
        Format = RingsSnapshot.CurrentFormat,
        At = DateTimeOffset.UnixEpoch,
        Folder = "/dev/shm",
        Seconds = 1,
        Deletions = null,
        Regions =
        [
            Ring("camera-events", 1 << 20, 88_016_512, 88_004_224, 4712) with { Rate = new RegionRate(52_310, 4_184_800, false) },
            new RegionEntry("camera-frame") { Kind = RegionKind.Plain, FileBytes = 4_096 + 230_400, Creator = s_camera },
            new RegionEntry("camera-speed")
            {
                Kind = RegionKind.Value,
                FileBytes = 5_120,
                Creator = s_camera,
                Contents = new RegionContents
                {
                    Unit = "values", Capacity = null, LongestBytes = 8, WritePosition = 912_004, ReadPosition = null, Lag = null,
                    Sides = [s_camera with { Role = "writer", Position = 912_004 }],
                },
                Rate = new RegionRate(1_000, null, false),
            },
            Ring("orders", 1 << 16, 65_536, 0, 0) with { Rate = new RegionRate(0, 0, false) },
            new RegionEntry("readings-of-the-old-version")
            {
                FileBytes = 71_704, Problem = "it is of version 1, and this library supports version 2",
            },
            new RegionEntry("thumbnails")
            {
                Kind = RegionKind.Queue,
                FileBytes = 1 << 20,
                Creator = s_camera,
                Contents = new RegionContents
                {
                    Unit = "messages", Capacity = 1_024, LongestBytes = 256, WritePosition = 18_204, ReadPosition = 17_950, Lag = 254,
                    Skipped = 2, Returned = 1,
                    Sides =
                    [
                        s_camera with { Role = "member" },
                        new("member", SideState.Running, 4720, "Shop.Thumbnails"),
                        new("member", SideState.Running, 4720, "Shop.Thumbnails"),
                        new("member", SideState.Ended, 4719, null),
                    ],
                },
                Rate = new RegionRate(31.4, null, false),
            },
        ],
    };

    private static RegionEntry Ring(string name, int capacity, long written, long read, int reader) => new(name)
    {
        Kind = RegionKind.Ring,
        FileBytes = capacity,
        Creator = s_camera,
        Contents = new RegionContents
        {
            Unit = "bytes",
            Capacity = capacity,
            LongestBytes = capacity / 2,
            WritePosition = written,
            ReadPosition = read,
            Lag = written - read,
            Sides =
            [
                s_camera with { Role = "writer", Position = written },
                reader == 0
                    ? new("reader", SideState.Nobody, 0, null) { Position = read, Lag = written - read }
                    : new("reader", SideState.Running, reader, "Shop.Alarms") { Position = read, Lag = written - read },
            ],
        },
    };
}
