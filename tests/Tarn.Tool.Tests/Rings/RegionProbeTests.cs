using System.Diagnostics;
using Spectre.Console;
using Tarn.SharedMemory;
using Tarn.Tests.Support;
using Tarn.Tool.Reports;
using Tarn.Tool.Rings;

namespace Tarn.Tool.Tests.Rings;

/// <summary>What <c>tarn rings</c> tells of shared memory, whole and damaged.</summary>
public class RegionProbeTests
{
    private static readonly SharedRegionOptions s_kept = new() { DeleteOnDispose = false };

    [Fact]
    public void A_ring_tells_its_sides_its_positions_and_what_waits()
    {
        using var folder = new RegionFolder();
        using SharedRing ring = SharedRing.Create(folder.Names, "events", 1_000);
        var probe = new RegionProbe(folder.Names);
        RegionContents before = probe.Take().Regions.Single().Contents!;
        Assert.All(before.Sides, side => Assert.Equal(SideState.Nobody, side.State));

        ring.Write(new byte[8]);
        ring.Write(new byte[20]);
        _ = ring.Read(new byte[100]);
        RegionEntry entry = probe.Take().Regions.Single();

        Assert.Equal((RegionKind.Ring, null, SideState.Running), (entry.Kind, entry.Problem, entry.Creator!.State));
        Assert.Equal(Environment.ProcessId, entry.Creator.Process);
        Assert.NotNull(entry.Creator.ProcessName);
        Assert.Equal((1_024, 48, 16, 32), (entry.Contents!.Capacity, entry.Contents.WritePosition, entry.Contents.ReadPosition,
            entry.Contents.Lag));
        Assert.Equal(["writer Running", "reader Running"], entry.Contents.Sides.Select(side => $"{side.Role} {side.State}"));
        Assert.False(entry.Rate!.IsEstimated);
        Assert.Equal(24, entry.Rate.Bytes!.Value / entry.Rate.Messages!.Value, 6);
    }

    [Fact]
    public void Messages_that_run_over_the_end_of_a_ring_are_counted_too()
    {
        using var folder = new RegionFolder();
        using SharedRing ring = SharedRing.Create(folder.Names, "events", 1_024);
        var probe = new RegionProbe(folder.Names);
        byte[] buffer = new byte[100];
        for (int round = 0; round < 20; round++)
        {
            _ = probe.Take();
            for (int i = 0; i < 7; i++)
            {
                ring.Write(buffer);
                _ = ring.Read(buffer);
            }

            RegionRate rate = probe.Take().Regions.Single().Rate!;
            Assert.False(rate.IsEstimated);
            Assert.Equal(112, rate.Bytes!.Value / rate.Messages!.Value, 6);
        }
    }

    [Fact]
    public async Task What_was_overwritten_before_it_was_counted_is_an_estimate_or_not_seen()
    {
        using var folder = new RegionFolder();
        using SharedRing ring = SharedRing.Create(folder.Names, "events", 1_024);
        var probe = new RegionProbe(folder.Names);
        _ = probe.Take();
        byte[] buffer = new byte[100];
        for (int i = 0; i < 100; i++)
        {
            ring.Write(buffer);
            _ = ring.Read(buffer);
        }

        RegionRate rate = probe.Take().Regions.Single().Rate!;
        Assert.Null(rate.Messages);
        Assert.True(rate.Bytes > 0);

        // While the writer writes, some messages of the moment stand for all. If it hardly ran since the last look, all of them are
        // there to be counted.
        using var stop = new CancellationTokenSource();
        Task busy = Task.Run(() =>
        {
            while (!stop.IsCancellationRequested)
            {
                _ = ring.TryWrite(buffer);
                _ = ring.TryRead(new byte[100], out _);
            }
        });
        RegionRate seen = rate;
        for (var watch = Stopwatch.StartNew(); !seen.IsEstimated && watch.Elapsed < TimeSpan.FromMinutes(1);)
        {
            while (ring.WritePosition < 1_000_000)
            {
                await Task.Delay(1);
            }

            seen = probe.Take().Regions.Single().Rate!;
        }

        await stop.CancelAsync();
        await busy;
        Assert.True(seen.IsEstimated);
        Assert.Equal(112, seen.Bytes!.Value / seen.Messages!.Value, 6);
    }

    [Fact]
    public void A_queue_tells_its_members_and_a_value_its_version()
    {
        using var folder = new RegionFolder();
        using SharedQueue queue = SharedQueue.Create(folder.Names, "work", 8, 100);
        using SharedQueue second = SharedQueue.Open(folder.Names, "work");
        using SharedValue<double> value = SharedValue<double>.Create(folder.Names, "speed");
        SharedQueue.Open(folder.Names, "work").Dispose();
        var probe = new RegionProbe(folder.Names);
        _ = probe.Take();
        Assert.True(queue.TryWrite("1"u8) && queue.TryWrite("2"u8) && second.TryRead(new byte[100], out _));
        Assert.True(queue.TryBeginRead(out SharedMessage message));
        message.Dispose();
        value.Write(1.5);
        RingsSnapshot snapshot = probe.Take();

        RegionContents work = snapshot.Regions.Single(region => region.Name == "work").Contents!;
        Assert.Equal(["member Running", "member Running"], work.Sides.Select(side => $"{side.Role} {side.State}"));
        Assert.Equal((8, 100, 2, 2), (work.Capacity, work.LongestBytes, work.WritePosition, work.ReadPosition));
        Assert.Equal((0, 1), (work.Skipped, work.Returned));
        RegionEntry speed = snapshot.Regions.Single(region => region.Name == "speed");
        Assert.Equal((8, 1, null), (speed.Contents!.LongestBytes, speed.Contents.WritePosition, speed.Contents.Lag));
        Assert.Equal(1, speed.Rate!.Messages!.Value * snapshot.Seconds, 6);
    }

    [Fact]
    public void A_topic_tells_its_writer_and_the_readers_that_hold_it_back()
    {
        using var folder = new RegionFolder();
        using SharedTopic topic = SharedTopic.Create(folder.Names, "prices", 16, 100);
        using SharedTopicReader free = topic.OpenReader();
        var probe = new RegionProbe(folder.Names);
        RegionContents before = probe.Take().Regions.Single().Contents!;
        Assert.Equal(["writer Nobody"], before.Sides.Select(side => $"{side.Role} {side.State}"));
        Assert.Null(before.Lag);

        using SharedTopicReader first = topic.OpenReader(holdsWriter: true);
        using SharedTopicReader second = topic.OpenReader(holdsWriter: true);
        Assert.True(topic.TryWrite("1"u8) && topic.TryWrite("2"u8) && topic.TryWrite("3"u8));
        Assert.True(first.TryRead(new byte[100], out _));
        RegionEntry entry = probe.Take().Regions.Single();

        Assert.Equal((RegionKind.Topic, null), (entry.Kind, entry.Problem));
        Assert.Equal(
            ["writer Running 3 ", "reader Running 1 2", "reader Running 0 3"],
            entry.Contents!.Sides.Select(side => $"{side.Role} {side.State} {side.Position} {side.Lag}"));
        Assert.Equal((16, 100, 3, null, 3), (entry.Contents.Capacity, entry.Contents.LongestBytes, entry.Contents.WritePosition,
            entry.Contents.ReadPosition, entry.Contents.Lag));
        Assert.Contains("reader", RingsViewTests.Text(probe.Take(), 120), StringComparison.Ordinal);
    }

    [SkippableFact]
    public void What_is_no_region_is_told_and_the_rest_is_listed()
    {
        Skip.If(OperatingSystem.IsWindows(), "Windows has no such files");
        using var folder = new RegionFolder();
        using SharedRegion whole = SharedRegion.Create(folder.Names, "whole", 100, null);
        Directory.CreateDirectory(folder.FileOf("directory"));
        File.CreateSymbolicLink(folder.FileOf("link"), "/etc/passwd");
        File.WriteAllText(folder.FileOf("empty"), "");
        File.WriteAllText(folder.FileOf("text"), "not a region");
        SharedRing.Create(folder.Names, "short", 64, s_kept).Dispose();
        using (var file = new FileStream(folder.FileOf("short"), FileMode.Open))
        {
            file.SetLength(RegionHeader.Length + 100);
        }

        SharedRing.Create(folder.Names, "old", 64, s_kept).Dispose();
        folder.Overwrite("old", 8, BitConverter.GetBytes(1));
        RingsSnapshot snapshot = new RegionProbe(folder.Names).Take();

        Dictionary<string, string?> problems = snapshot.Regions.ToDictionary(region => region.Name, region => region.Problem);
        Assert.Equal(["directory", "empty", "link", "old", "short", "text", "whole"], problems.Keys.Order());
        Assert.Null(problems["whole"]);
        Assert.Contains("version 1", problems["old"], StringComparison.Ordinal);
        Assert.Contains("truncated", problems["short"], StringComparison.Ordinal);
        Assert.Contains("not a region", problems["text"], StringComparison.Ordinal);
        Assert.All(problems.Where(one => one.Key != "whole"), one => Assert.NotNull(one.Value));
        Assert.Contains("cannot open it", problems["directory"], StringComparison.Ordinal);
        Assert.Contains("cannot open it", problems["link"], StringComparison.Ordinal);
    }

    /// <summary>Any process may write anything to shared memory.</summary>
    [Theory]
    [InlineData("ring")]
    [LongInlineData("queue")]
    [LongInlineData("topic")]
    [LongInlineData("value")]
    public void Damaged_headers_are_told_and_drawn(string kind)
    {
        using var folder = new RegionFolder();
        IDisposable made = kind switch
        {
            "ring" => SharedRing.Create(folder.Names, kind, 256, s_kept),
            "queue" => SharedQueue.Create(folder.Names, kind, 4, 32, s_kept),
            "topic" => SharedTopic.Create(folder.Names, kind, 4, 32, s_kept),
            _ => SharedValue<long>.Create(folder.Names, kind, s_kept),
        };
        made.Dispose();
        byte[] whole = File.ReadAllBytes(folder.FileOf(kind));
        var random = new Random(5);
        int told = 0;
        for (int round = 0; round < 2_000; round++)
        {
            byte[] damaged = [.. whole];
            int offset = round % 2 == 0 ? random.Next(80) : RegionHeader.Length + random.Next(700);
            int length = random.Next(1, 9);
            random.NextBytes(damaged.AsSpan(offset, length));
            File.WriteAllBytes(folder.FileOf(kind), damaged);
            var probe = new RegionProbe(folder.Names);
            _ = probe.Take();
            RingsSnapshot snapshot = probe.Take();
            told += snapshot.Regions.Single().Problem is null ? 0 : 1;
            Assert.NotEmpty(RingsViewTests.Text(snapshot, 80));
            Assert.NotEmpty(JsonText.Of(snapshot));
            Assert.Single(AbandonedRegions.Delete(folder.Names));
        }

        Assert.InRange(told, 100, 1_999);
    }

    [Fact]
    public void Positions_that_no_moment_had_are_damaged()
    {
        using var folder = new RegionFolder();
        SharedRing.Create(folder.Names, "ring", 256, s_kept).Dispose();
        foreach ((long write, long read) in ((long, long)[])[(-8, 0), (0, 8), (264, 0), (4, 0), (0, -8), (long.MaxValue & -8, 0)])
        {
            folder.Overwrite("ring", RegionHeader.Length + RingHeader.WritePositionOffset, BitConverter.GetBytes(write));
            folder.Overwrite("ring", RegionHeader.Length + RingHeader.ReadPositionOffset, BitConverter.GetBytes(read));
            Assert.Contains("damaged", folder.Entry("ring").Problem, StringComparison.Ordinal);
        }

        folder.Overwrite("ring", RegionHeader.Length + RingHeader.WritePositionOffset, BitConverter.GetBytes(264L));
        folder.Overwrite("ring", RegionHeader.Length + RingHeader.ReadPositionOffset, BitConverter.GetBytes(8L));
        Assert.Equal(256, folder.Entry("ring").Contents!.Lag);
    }

    [Fact]
    public void A_kind_that_this_version_does_not_know_is_told()
    {
        using var folder = new RegionFolder();
        SharedRegion.Create(folder.Names, "later", 100, s_kept).Dispose();
        folder.Overwrite("later", 12, BitConverter.GetBytes(77));
        RegionEntry entry = folder.Entry("later");
        Assert.Null(entry.Kind);
        Assert.Contains("unknown kind (77)", entry.Problem, StringComparison.Ordinal);
    }
}
