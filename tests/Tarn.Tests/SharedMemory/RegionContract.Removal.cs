namespace Tarn.Tests.SharedMemory;

/// <content>A name that is something else's by the time it is removed.</content>
public abstract unsafe partial class RegionContract
{
    [SkippableFact]
    public void A_name_that_is_not_wanted_gone_at_the_second_look_is_put_back()
    {
        using SharedRegion region = Create("a", 100);
        int looks = 0;
        Assert.False(Names.Remove("tarn.a", _ => ++looks == 1));
        Assert.Equal(2, looks);
        Assert.Equal(["tarn.a"], _directory.Files);
        Open("a").Dispose();
    }

    [SkippableFact]
    public void A_second_look_that_fails_puts_the_name_back()
    {
        using SharedRegion region = Create("a", 100);
        int looks = 0;
        Assert.Throws<InvalidDataException>(() => Names.Remove("tarn.a", _ => ++looks == 1 ? true : throw new InvalidDataException()));
        Assert.Equal(["tarn.a"], _directory.Files);
    }

    [SkippableTheory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_file_that_took_the_name_in_between_stays(bool isWantedGone)
    {
        using SharedRegion first = Create("a", 100);
        SharedRegion? second = null;
        int looks = 0;
        Assert.Equal(isWantedGone, Names.Remove("tarn.a", _ =>
        {
            if (++looks == 2)
            {
                second = Create("a", 200);
                return isWantedGone;
            }

            return true;
        }));
        Assert.Equal(["tarn.a"], _directory.Files);
        using SharedRegion opened = Open("a");
        Assert.Equal(200, opened.Size);
        second!.Dispose();
        Assert.Empty(_directory.Files);
    }

    [SkippableFact]
    public void A_name_that_others_remove_between_the_looks_is_gone()
    {
        using SharedRegion region = Create("a", 100);
        Assert.False(Names.Remove("tarn.a", _ =>
        {
            File.Delete(_directory.FileOf("a"));
            return true;
        }));
        Assert.Empty(_directory.Files);
    }

    [SkippableFact]
    public void The_name_goes_with_its_region_whatever_others_wrote_over_the_header()
    {
        Skip.If(OperatingSystem.IsWindows(), "Windows does not say which file one is.");
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
        SharedRegion region = SharedRegion.Create(Names, "a", 100, options: null);
        File.Delete(_directory.FileOf("a"));
        File.WriteAllText(_directory.FileOf("a"), "theirs");

        region.Dispose();
        Assert.Equal("theirs", File.ReadAllText(_directory.FileOf("a")));
        File.Delete(_directory.FileOf("a"));
    }
}
