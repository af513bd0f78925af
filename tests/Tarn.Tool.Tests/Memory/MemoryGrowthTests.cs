using Tarn.Lab.Tests;
using Tarn.Tool.Memory;
using Tarn.Traces;

namespace Tarn.Tool.Tests.Memory;

/// <summary>What changed between two snapshots, and snapshots in files.</summary>
public class MemoryGrowthTests
{
    private const long Megabyte = 1 << 20;

    [Fact]
    public void Growth_is_a_sentence_and_a_list_the_largest_change_first()
    {
        MemorySnapshot before = SampleSnapshot.Build();
        MemorySnapshot after = Grow(before, TimeSpan.FromMinutes(10), arenas: 390, large: 22);

        MemoryGrowth growth = MemoryGrowth.Between(before, after);

        Assert.Equal("In 10 minutes: +412 MiB, of which glibc arenas 390 MiB, large objects 22 MiB.", growth.Sentence);
        Assert.Equal([(MemoryTally.Arenas, 390 * Megabyte), (MemoryTally.LargeObjects, 22 * Megabyte)],
            growth.Items.Select(item => (item.Name, item.Bytes)));
    }

    [Fact]
    public void What_shrinks_is_told_as_well_and_nothing_as_nothing()
    {
        MemorySnapshot before = SampleSnapshot.Build();

        Assert.Equal(
            "In 30 seconds: −100 MiB, of which glibc arenas 130 MiB.",
            MemoryGrowth.Between(before, Grow(before, TimeSpan.FromSeconds(30), arenas: -130, large: 30)).Sentence);
        Assert.Equal("In 1 second: +0 B.", MemoryGrowth.Between(before, Grow(before, TimeSpan.FromSeconds(1), 0, 0)).Sentence);
        Assert.StartsWith(
            "Compared with another process: +1 MiB",
            MemoryGrowth.Between(before, Grow(before, TimeSpan.FromDays(9), 1, 0) with { Process = 1 }).Sentence,
            StringComparison.Ordinal);
    }

    [Fact]
    public void A_snapshot_in_a_file_is_read_as_it_was_and_another_file_is_refused()
    {
        using var folder = new TemporaryDirectory();
        MemorySnapshot snapshot = SampleSnapshot.Build();
        string file = folder.File("before.json");
        File.WriteAllText(file, MemoryJson.Write(snapshot));
        File.WriteAllText(folder.File("line.json"), MemoryJson.WriteLine(snapshot));

        Assert.Equal(MemoryJson.Write(snapshot), MemoryJson.Write(MemoryJson.Read(file)));
        Assert.Equal(MemoryJson.Write(snapshot), MemoryJson.Write(MemoryJson.Read(folder.File("line.json"))));
        File.WriteAllText(file, MemoryJson.Write(snapshot with { Format = 99 }));
        string message = Assert.Throws<RecordingException>(() => MemoryJson.Read(file)).Message;
        Assert.Contains("has the format 99", message, StringComparison.Ordinal);
        File.WriteAllText(file, "{\"pools\":[]}");
        Assert.Contains("is no snapshot", Assert.Throws<RecordingException>(() => MemoryJson.Read(file)).Message, StringComparison.Ordinal);
    }

    private static MemorySnapshot Grow(MemorySnapshot before, TimeSpan time, long arenas, long large) => before with
    {
        At = before.At + time,
        ResidentBytes = before.ResidentBytes + ((arenas + large) * Megabyte),
        Groups =
        [
            .. before.Groups.Select(group => group with
            {
                Items =
                [
                    .. group.Items.Select(item => item with
                    {
                        Bytes = item.Bytes + (Megabyte * (item.Name switch
                        {
                            MemoryTally.Arenas => arenas,
                            MemoryTally.LargeObjects => large,
                            _ => 0,
                        })),
                    }),
                ],
            }),
        ],
    };
}
