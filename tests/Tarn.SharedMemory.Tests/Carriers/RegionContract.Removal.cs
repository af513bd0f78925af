namespace Tarn.SharedMemory.Tests.Carriers;

/// <content>A name that is something else's by the time it is removed.</content>
public abstract unsafe partial class RegionContract
{
    [SkippableFact]
    public void A_name_that_is_not_wanted_gone_stays_in_its_place_all_the_time()
    {
        using SharedRegion region = Create("a", 100);
        int looks = 0;
        Assert.False(Names.Remove("tarn.a", _ =>
        {
            looks++;
            Open("a").Dispose();
            Assert.Equal(["tarn.a"], _directory.Files);
            return false;
        }));
        Assert.Equal(1, looks);
        Open("a").Dispose();
    }

    [SkippableFact]
    public void A_look_that_fails_changes_nothing_and_the_name_can_be_removed_then()
    {
        using SharedRegion region = Create("a", 100);
        Assert.Throws<InvalidDataException>(() => Names.Remove("tarn.a", static _ => throw new InvalidDataException()));
        Assert.Equal(["tarn.a"], _directory.Files);
        Assert.True(SharedRegion.Delete(Names, "a"));
    }

    /// <summary>
    /// Between the look and the removal, others remove the name and take it for a region of their own. That one keeps the name, whatever
    /// was decided about the first.
    /// </summary>
    [SkippableTheory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_region_that_takes_the_name_between_look_and_removal_keeps_it(bool isWantedGone)
    {
        using SharedRegion first = Create("a", 100);
        SharedRegion? second = null;
        Task? others = null;
        bool isRemoved = Names.Remove("tarn.a", file =>
        {
            others ??= Task.Factory.StartNew(
                () =>
                {
                    SharedRegion.Delete(Names, "a");
                    Volatile.Write(ref second, Create("a", 200));
                },
                TaskCreationOptions.LongRunning);
            SpinWait.SpinUntil(() => Volatile.Read(ref second) is not null, 100);
            return isWantedGone && RegionFile.IsRegion(file, out RegionHeader header) && header.Size == 100;
        });
        others!.GetAwaiter().GetResult();
        Assert.Equal(isWantedGone, isRemoved);
        Assert.Equal(["tarn.a"], _directory.Files);
        using (SharedRegion opened = Open("a"))
        {
            Assert.Equal(200, opened.Size);
        }

        second!.Dispose();
        Assert.Empty(_directory.Files);
    }

    /// <summary>
    /// Several remove a name and take it again. Each removal takes away what it looked at: were it another region, that region's creator
    /// would miss it.
    /// </summary>
    [SkippableFact]
    public void Many_that_remove_and_take_one_name_never_remove_what_they_did_not_look_at()
    {
        using CancellationTokenSource end = new(StressLength.Duration);
        long takes = 0;
        Parallel.For(0, 4, new ParallelOptions { MaxDegreeOfParallelism = 4 }, worker =>
        {
            while (!end.IsCancellationRequested)
            {
                try
                {
                    using SharedRegion mine = Create("a", worker + 1, new SharedRegionOptions { DeleteOnDispose = false });
                    Interlocked.Increment(ref takes);
                    Assert.True(RemoveOwn(worker + 1), $"The region of worker {worker} lost its name to a removal of another's.");
                }
                catch (IOException)
                {
                    // Another has the name. It does not want this one's gone.
                    Assert.False(RemoveOwn(worker + 1));
                }
            }
        });
        Assert.True(takes > 0);
        Assert.Empty(_directory.Files);

        bool RemoveOwn(int size) =>
            Names.Remove("tarn.a", file => RegionFile.IsRegion(file, out RegionHeader header) && header.Size == size);
    }

    [SkippableFact]
    public void A_name_that_another_program_removes_meanwhile_is_gone()
    {
        using SharedRegion region = Create("a", 100);
        Skip.If(OperatingSystem.IsWindows(), "Windows keeps a file that is mapped.");
        Assert.True(Names.Remove("tarn.a", _ =>
        {
            File.Delete(_directory.FileOf("a"));
            return true;
        }));
        Assert.Empty(_directory.Files);
    }

    [SkippableFact]
    public void The_name_goes_with_its_region_whatever_others_wrote_over_the_header()
    {
        SharedRegion region = SharedRegion.Create(Names, "a", 100, options: null);
        using (FileStream file = new(_directory.FileOf("a"), FileMode.Open, FileAccess.Write, FileShare.ReadWrite))
        {
            file.Write([.. Enumerable.Repeat((byte)0xAB, RegionHeader.Length)]);
        }

        region.Dispose();
        Assert.Empty(_directory.Files);
    }

    [SkippableFact]
    public void A_file_that_others_put_in_its_place_stays()
    {
        Skip.If(OperatingSystem.IsWindows(), "Windows keeps a file that is mapped.");
        SharedRegion region = SharedRegion.Create(Names, "a", 100, options: null);
        File.Delete(_directory.FileOf("a"));
        File.WriteAllText(_directory.FileOf("a"), "theirs");

        region.Dispose();
        Assert.Equal("theirs", File.ReadAllText(_directory.FileOf("a")));
        File.Delete(_directory.FileOf("a"));
    }
}
