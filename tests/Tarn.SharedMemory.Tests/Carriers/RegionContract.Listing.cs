using System.Globalization;

namespace Tarn.SharedMemory.Tests.Carriers;

/// <content>The list of regions, their owners, and regions without an owner.</content>
public abstract unsafe partial class RegionContract
{
    [SkippableFact]
    public void Regions_are_listed_with_their_owners()
    {
        Assert.Empty(SharedRegion.List(Names));
        using SharedRegion region = Create("a", 100);
        using SharedRegion ring = SharedRegion.Create(Names, "b.c", new RegionShape(200), options: null, RegionKind.Ring);
        MakeAbandoned("old", 300);
        Assert.Equal(
            [
                Listed.Region("a", 100, Environment.ProcessId, isAlive: true),
                Listed.Region("b.c", 200, Environment.ProcessId, isAlive: true),
                Listed.Region("old", 300, Environment.ProcessId, isAlive: false),
            ],
            SharedRegion.List(Names).OrderBy(static region => region.Name, StringComparer.Ordinal));
    }

    [SkippableFact]
    public void Exactly_the_abandoned_regions_are_deleted()
    {
        using SharedRegion region = Create("a", 100);
        using SharedRegion kept = Create("kept", 100, new SharedRegionOptions { DeleteOnDispose = false });
        MakeAbandoned("old");
        MakeAbandoned("older");
        using SharedRegion opened = Open("old");
        opened.Pointer[0] = 1;
        Assert.Equal(2, SharedRegion.DeleteAbandoned(Names));
        Assert.Equal(["tarn.a", "tarn.kept"], _directory.Files);
        Assert.Equal(1, opened.Pointer[0]);
        Assert.Equal(0, SharedRegion.DeleteAbandoned(Names));
    }

    /// <summary>
    /// Whether it says so, or is of an earlier version and only its creator's leaving shows it: it is what a restart finds again.
    /// </summary>
    [SkippableTheory]
    [InlineData(1u, 0u)]
    [InlineData(0u, 1u)]
    [InlineData(1u, 1u)]
    public void A_region_that_is_to_outlive_its_creator_is_deleted_by_name_alone(uint isKept, uint ownerLetGo)
    {
        MakeAbandoned("durable");
        ChangeHeader("durable", (ref header) => (header.IsKept, header.OwnerLetGo) = (isKept, ownerLetGo));
        SharedRegionInfo info = Assert.Single(SharedRegion.List(Names));
        Assert.Equal((true, false), (info.IsPersistent, info.OwnerIsAlive));
        Assert.Equal(0, SharedRegion.DeleteAbandoned(Names));
        string taken = Assert.Throws<IOException>(() => Create("durable", 100)).Message;
        Assert.EndsWith("delete it with Delete.", taken, StringComparison.Ordinal);
        Open("durable").Dispose();
        Assert.True(SharedRegion.Delete(Names, "durable"));
        Assert.Empty(_directory.Files);
    }

    [SkippableFact]
    public void Every_kind_says_whether_it_is_to_outlive_its_creator()
    {
        foreach (bool isKept in (bool[])[false, true])
        {
            SharedRegionOptions options = new() { DeleteOnDispose = !isKept };
            using SharedRegion region = Create("region", 100, options);
            using SharedRing ring = SharedRing.Create(Names, "ring", 64, options);
            using SharedQueue queue = SharedQueue.Create(Names, "queue", 2, 8, options);
            using SharedTopic topic = SharedTopic.Create(Names, "topic", 2, 8, options);
            using SharedValue<int> value = SharedValue<int>.Create(Names, "value", options);
            IReadOnlyList<SharedRegionInfo> all = SharedRegion.List(Names);
            Assert.Equal(5, all.Count);
            Assert.All(all, info => Assert.Equal(isKept, info.IsPersistent));
        }

        Assert.Equal(5, SharedRegion.List(Names).Count(info => SharedRegion.Delete(Names, info.Name)));
    }

    /// <summary>As of a process in a container with process ids of its own: here nothing can be known of it.</summary>
    [SkippableFact]
    public void An_owner_of_other_process_ids_counts_as_alive()
    {
        MakeAbandoned("a");
        ChangeHeader("a", static (ref header) => (header.OwnerNamespace, header.OwnerLetGo) = (header.OwnerNamespace + 1, 1));
        AssertUnknown("a");
    }

    /// <summary>As of a process in a virtual machine that shares the directory: its locks and ids are another kernel's.</summary>
    [SkippableFact]
    public void An_owner_under_another_kernel_counts_as_alive()
    {
        MakeAbandoned("a");
        ChangeHeader("a", static (ref header) => header.Device++);
        AssertUnknown("a");
    }

    /// <summary>The file left by a process killed while it moved a file aside, or before it moved one in its place.</summary>
    [SkippableFact]
    public void A_file_without_a_name_goes_after_its_process_has_ended()
    {
        string dead = Temporary(s_dead, ProcessIdentity.Namespace);
        string alive = Temporary(ProcessIdentity.Self, ProcessIdentity.Namespace);
        string unknown = Temporary(s_dead, ProcessIdentity.Namespace + 1);
        foreach (string name in new[] { dead, alive, unknown })
        {
            File.WriteAllText(Path.Combine(_directory.Path, name), "half made");
        }

        Assert.Empty(SharedRegion.List(Names));
        Assert.Equal(0, SharedRegion.DeleteAbandoned(Names));
        Assert.Equal(new[] { alive, unknown }.Order(), Directory.EnumerateFiles(_directory.Path).Select(Path.GetFileName).Order());

        static string Temporary(ProcessIdentity process, uint valid) =>
            string.Create(CultureInfo.InvariantCulture, $"tarn~{process.Value:x}~{valid:x}~99999999");
    }

    private void AssertUnknown(string name)
    {
        SharedRegionInfo info = Assert.Single(SharedRegion.List(Names));
        Assert.True(info.OwnerIsAlive);
        Assert.True(info.OwnerIsUnknown);
        Assert.Equal(0, SharedRegion.DeleteAbandoned(Names));
        string taken = Assert.Throws<IOException>(() => Create(name, 100)).Message;
        Assert.Contains("cannot see whether", taken, StringComparison.Ordinal);
        Assert.Contains("SharedRegion.Delete", taken, StringComparison.Ordinal);
        Assert.True(SharedRegion.Delete(Names, name));
    }
}
