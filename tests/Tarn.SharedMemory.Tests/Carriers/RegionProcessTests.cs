using System.Globalization;

namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>Regions of two processes, of which one may be killed.</summary>
public sealed unsafe class RegionProcessTests
{
    [SkippableTheory]
    [InlineData("linux")]
    [InlineData("file")]
    public void A_region_of_another_process_is_opened_by_name(string kind)
    {
        Skip.IfNot(StressLength.IsLong || kind == "linux", "one kind is enough for the short form; the long form has each");
        using RegionDirectory directory = RegionDirectory.Create(kind);
        using RegionChild child = RegionChild.Start(directory);
        Assert.Equal("100001", child.Ask("create a 100001"));
        Assert.Equal("filled", child.Ask("fill a 7"));
        using SharedRegion region = SharedRegion.Open(directory.Names, "a");
        Assert.Equal(100_001, region.Size);
        AssertStamp(region, 7);
        Stamp(region, 8);
        Assert.Equal("verified", child.Ask("verify a 8"));
        Assert.Equal([Listed.Region("a", 100_001, child.AskForId(), isAlive: true)], SharedRegion.List(directory.Names));
        Assert.Contains(
            $"process {child.AskForId()} created",
            Assert.Throws<IOException>(() => SharedRegion.Create(directory.Names, "a", 1, options: null)).Message,
            StringComparison.Ordinal);

        Assert.Equal("disposed", child.Ask("dispose a"));
        Assert.Empty(directory.Files);
        AssertStamp(region, 8);
    }

    [SkippableTheory]
    [InlineData("linux")]
    [InlineData("file")]
    public void Another_process_opens_a_region_of_this_one(string kind)
    {
        Skip.IfNot(StressLength.IsLong || kind == "linux", "one kind is enough for the short form; the long form has each");
        using RegionDirectory directory = RegionDirectory.Create(kind);
        using RegionChild child = RegionChild.Start(directory);
        using SharedRegion region = SharedRegion.Create(directory.Names, "a", 5000, options: null);
        Stamp(region, 3);
        Assert.Equal("5000", child.Ask("open a"));
        Assert.Equal("verified", child.Ask("verify a 3"));
        Assert.Equal("filled", child.Ask("fill a 4"));
        AssertStamp(region, 4);
        Assert.Contains("is taken", child.Ask("create a 1"), StringComparison.Ordinal);
        Assert.StartsWith(nameof(FileNotFoundException), child.Ask("open b"), StringComparison.Ordinal);
        Assert.Equal("0", child.Ask("abandoned"));
        Assert.Equal("True", child.Ask("delete a"));
        Assert.Equal("filled", child.Ask("fill a 5"));
        AssertStamp(region, 5);
        Assert.Equal(0, child.End());
    }

    [SkippableTheory]
    [InlineData("linux")]
    [InlineData("file")]
    public void A_killed_process_leaves_a_region_that_can_be_opened_and_cleaned_away(string kind)
    {
        Skip.IfNot(StressLength.IsLong || kind == "linux", "one kind is enough for the short form; the long form has each");
        using RegionDirectory directory = RegionDirectory.Create(kind);
        using RegionChild child = RegionChild.Start(directory);
        int id = child.AskForId();
        child.Ask("create a 100");
        child.Ask("create-kept kept 100");
        child.Ask("fill a 9");
        using SharedRegion mine = SharedRegion.Create(directory.Names, "mine", 100, options: null);
        child.Ask("open mine");
        child.Kill();

        using SharedRegion region = SharedRegion.Open(directory.Names, "a");
        AssertStamp(region, 9);
        Assert.Equal(
            [
                Listed.Region("a", 100, id, isAlive: false),
                Listed.Region("kept", 100, id, isAlive: false) with { IsPersistent = true },
                Listed.Region("mine", 100, Environment.ProcessId, isAlive: true),
            ],
            SharedRegion.List(directory.Names).OrderBy(static region => region.Name, StringComparer.Ordinal));
        IOException taken = Assert.Throws<IOException>(() => SharedRegion.Create(directory.Names, "a", 100, options: null));
        Assert.Contains($"process {id} created a region of 100 bytes and exited", taken.Message, StringComparison.Ordinal);
        Assert.Equal(1, SharedRegion.DeleteAbandoned(directory.Names));
        Assert.Equal(["tarn.kept", "tarn.mine"], directory.Files);
        AssertStamp(region, 9);
    }

    /// <summary>It has ended, and its parent has not taken note: its id is still its own.</summary>
    [SkippableFact]
    public void A_killed_process_that_is_not_waited_for_is_dead()
    {
        using RegionDirectory directory = RegionDirectory.Create("linux");
        using RegionChild parent = RegionChild.Start(directory, "exec 3<&0; \"$0\" \"$@\" <&3 & exec sleep 600");
        int id = parent.AskForId();
        Assert.NotEqual(parent.Id, id);
        parent.Ask("create a 100");
        ProcessIdentity identity = new(ulong.Parse(parent.Ask("identity"), CultureInfo.InvariantCulture));
        Assert.True(Assert.Single(SharedRegion.List(directory.Names)).OwnerIsAlive);
        Assert.True(identity.IsAlive);
        RegionChild.Kill(id);
        Eventually.True(() => HasEnded(id), "all threads of the process have ended, and it is a zombie");

        Assert.False(identity.IsAlive);
        Assert.Equal([Listed.Region("a", 100, id, isAlive: false)], SharedRegion.List(directory.Names));
        Assert.Equal(1, SharedRegion.DeleteAbandoned(directory.Names));
        Assert.Empty(directory.Files);
    }

    /// <summary>The first thread may be a zombie before the others, which keep the process's files open until they end.</summary>
    private static bool HasEnded(int id) =>
        File.ReadAllText($"/proc/{id}/stat").Contains(") Z ", StringComparison.Ordinal)
        && Directory.GetDirectories($"/proc/{id}/task").Length == 1;

    [SkippableTheory]
    [InlineData("linux", "")]
    [InlineData("linux", "exit")]
    [InlineData("file", "")]
    [InlineData("file", "exit")]
    public void A_process_that_ends_without_Dispose_leaves_only_regions_that_are_to_stay(string kind, string last)
    {
        Skip.IfNot(StressLength.IsLong || kind == "linux", "one kind is enough for the short form; the long form has each");
        using RegionDirectory directory = RegionDirectory.Create(kind);
        using RegionChild child = RegionChild.Start(directory);
        using SharedRegion mine = SharedRegion.Create(directory.Names, "mine", 100, options: null);
        child.Ask("create a 100");
        child.Ask("create b 100");
        child.Ask("create-kept kept 100");
        child.Ask("open mine");
        Assert.Equal(["tarn.a", "tarn.b", "tarn.kept", "tarn.mine"], directory.Files);
        if (last.Length > 0)
        {
            child.Tell(last);
        }

        Assert.Equal(0, child.End());
        Assert.Equal(["tarn.kept", "tarn.mine"], directory.Files);
        Assert.Equal(0, SharedRegion.DeleteAbandoned(directory.Names));
        Assert.True(SharedRegion.Delete(directory.Names, "kept"));
    }

    [SkippableFact]
    public void A_process_that_crashes_leaves_regions_that_can_be_cleaned_up()
    {
        using RegionDirectory directory = RegionDirectory.Create("linux");
        using RegionChild child = RegionChild.Start(directory);
        child.Ask("create a 100");
        child.Tell("fail-fast");
        Assert.NotEqual(0, child.WaitForExit());
        Assert.False(Assert.Single(SharedRegion.List(directory.Names)).OwnerIsAlive);
        Assert.Equal(1, SharedRegion.DeleteAbandoned(directory.Names));
        Assert.Empty(directory.Files);
    }

    [SkippableTheory]
    [InlineData("linux")]
    [InlineData("file")]
    public void Of_several_processes_at_once_exactly_one_makes_a_region(string kind) =>
        Race(kind, "meet", rounds: 300, (directory, processes) =>
    {
        Assert.Equal(300, directory.Files.Length);
        for (int round = 0; round < 300; round++)
        {
            using SharedRegion region = SharedRegion.Open(directory.Names, $"meet{round}");
            Assert.Equal(processes, *(int*)(region.Pointer + 8));
        }

        Assert.Equal(0, SharedRegion.DeleteAbandoned(directory.Names));
        Assert.Equal(300, SharedRegion.List(directory.Names).Count(region => SharedRegion.Delete(directory.Names, region.Name)));
        Assert.Empty(directory.Files);
    });

    [SkippableTheory]
    [InlineData("linux")]
    [InlineData("file")]
    public void Several_processes_make_and_delete_one_name_and_its_bytes_are_theirs(string kind) =>
        Race(kind, "delete", rounds: 1000, static (directory, _) =>
    {
        Assert.All(directory.Files, static name => Assert.Equal("tarn.race", name));
        SharedRegion.Delete(directory.Names, "race");
        Assert.Empty(directory.Files);
    });

    private static void Race(string kind, string what, int rounds, Action<RegionDirectory, int> look)
    {
        const int Processes = 3;
        using RegionDirectory directory = RegionDirectory.Create(kind);
        RegionChild[] children =
        [
            .. Enumerable.Range(0, Processes).Select(
                index => RegionChild.Run("region-race", directory, what, $"{index}", $"{Processes}", $"{rounds}")),
        ];
        try
        {
            Assert.All(children, static child => Assert.Equal("ready", child.ReadLine()));
            Array.ForEach(children, static child => child.Tell("go"));
            Assert.All(children, static child => Assert.Equal("done", child.ReadLine()));
            Assert.All(children, static child => Assert.Equal(0, child.WaitForExit()));
            look(directory, Processes);
        }
        finally
        {
            Array.ForEach(children, static child => child.Dispose());
        }
    }

    /// <summary>As the child's "fill".</summary>
    private static void Stamp(SharedRegion region, long stamp)
    {
        for (long i = 0; i < region.Size; i++)
        {
            region.Pointer[i] = (byte)((stamp + i) % 251);
        }
    }

    private static void AssertStamp(SharedRegion region, long stamp)
    {
        for (long i = 0; i < region.Size; i++)
        {
            if (region.Pointer[i] != (byte)((stamp + i) % 251))
            {
                Assert.Fail($"Byte {i} is another.");
            }
        }
    }
}
