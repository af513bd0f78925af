using System.Diagnostics;
using Xunit.Abstractions;

namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>Processes that make and delete regions, killed at any moment: the regions they leave can be opened and deleted.</summary>
public sealed class RegionKillTests(ITestOutputHelper output)
{
    private const int Processes = 3;

    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(1);

    [SkippableTheory]
    [InlineData("linux")]
    [InlineData("file")]
    public void Whatever_moment_a_process_is_killed_at_nothing_is_left_that_cannot_be_opened_and_cleaned_away(string kind)
    {
        using RegionDirectory directory = RegionDirectory.Create(kind);
        RegionChild[] children = [.. Enumerable.Range(0, Processes).Select(_ => Start(directory))];
        int kills = 0;
        int left = 0;
        try
        {
            for (Stopwatch run = Stopwatch.StartNew();
                run.Elapsed < StressLength.Duration || kills < 3 * Processes || (left == 0 && run.Elapsed < s_limit);
                kills++)
            {
                ref RegionChild victim = ref children[kills % Processes];
                Assert.Equal("ready", victim.ReadLine());

                // A process may be slow to begin: the longer none left anything, the longer they live.
                Thread.Sleep(TimeSpan.FromMicroseconds(Random.Shared.Next(20_000) * (left == 0 ? 1 + (kills / Processes) : 1)));
                victim.Kill();
                left += LookAround(directory);
                Assert.Null(victim.ReadLine());
                victim.Dispose();
                victim = Start(directory);
            }
        }
        finally
        {
            Array.ForEach(children, static child => child.Dispose());
        }

        output.WriteLine($"{kills} kills; {left} regions were found after one.");
        Assert.True(left > 0, $"After {kills} kills no region was ever found.");
        LookAround(directory);
        SharedRegion.DeleteAbandoned(directory.Names);
        Assert.All(
            SharedRegion.List(directory.Names),
            region => Assert.True(region.IsPersistent && SharedRegion.Delete(directory.Names, region.Name)));
        Assert.Empty(directory.Files);
    }

    private static RegionChild Start(RegionDirectory directory) => RegionChild.Run("region-churn", directory, $"{Random.Shared.Next()}");

    /// <summary>Verifies that every named region is whole. Returns their number.</summary>
    private static int LookAround(RegionDirectory directory)
    {
        int found = 0;
        foreach (SharedRegionInfo info in SharedRegion.List(directory.Names))
        {
            try
            {
                using SharedRegion region = SharedRegion.Open(directory.Names, info.Name);
                Assert.False(region.GetSpan(0, (int)region.Size).ContainsAnyExcept((byte)0, (byte)77));
                found++;
            }
            catch (FileNotFoundException)
            {
                // Another process deleted it.
            }
        }

        return found;
    }
}
