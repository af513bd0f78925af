
namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>
/// Containers that share /dev/shm and have process ids of their own, one of which is killed and started again: who runs is known all the
/// same. Both processes have the id 1.
/// </summary>
public sealed class RestartedContainerTests : RingTest
{
    [SkippableFact]
    public void Regions_of_a_killed_container_are_abandoned_for_its_successor_and_for_all_others()
    {
        using RegionDirectory directory = RegionDirectory.Create("linux");
        using RegionChild first = OtherNamespace.StartRegions(directory);
        using RegionChild second = OtherNamespace.StartRegions(directory);
        first.Ask("create a 100");
        first.Ask("create b 100");
        using SharedRegion mine = SharedRegion.Create(directory.Names, "mine", 100, options: null);
        string alive = $"{Listed.Region("a", 100, 1, isAlive: true)}";
        Assert.StartsWith(alive, second.Ask("list"), StringComparison.Ordinal);
        Assert.Contains(Listed.Region("a", 100, 1, isAlive: true), SharedRegion.List(directory.Names));
        Assert.Contains("process 1 created a region of 100 bytes.", second.Ask("create a 100"), StringComparison.Ordinal);
        Assert.Equal("0", second.Ask("abandoned"));
        Assert.Equal(0, SharedRegion.DeleteAbandoned(directory.Names));

        OtherNamespace.Kill(first);
        Assert.Contains("of 100 bytes and exited", second.Ask("create a 100"), StringComparison.Ordinal);
        Assert.Contains(Listed.Region("a", 100, 1, isAlive: false), SharedRegion.List(directory.Names));
        Assert.Equal("2", second.Ask("abandoned"));
        Assert.Equal("100", second.Ask("create a 100"));
        Assert.Equal(["tarn.a", "tarn.mine"], directory.Files);
        OtherNamespace.Kill(second);
        Assert.Equal(1, SharedRegion.DeleteAbandoned(directory.Names));
    }

    /// <summary>It let go of the region, so that only its id remains, which says nothing here.</summary>
    [SkippableFact]
    public void A_kept_region_that_its_creator_disposed_stays_for_other_namespaces()
    {
        using RegionDirectory directory = RegionDirectory.Create("linux");
        using RegionChild child = OtherNamespace.StartRegions(directory);
        child.Ask("create-kept a 100");
        Assert.False(Assert.Single(SharedRegion.List(directory.Names)).OwnerIsUnknown);
        child.Ask("dispose a");
        SharedRegionInfo unknown = Assert.Single(SharedRegion.List(directory.Names));
        Assert.Equal(Listed.Region("a", 100, 1, isAlive: true) with { OwnerIsUnknown = true, IsPersistent = true }, unknown);
        Assert.Equal(0, SharedRegion.DeleteAbandoned(directory.Names));
        Assert.Equal("0", child.Ask("abandoned"));
        OtherNamespace.Kill(child);
        Assert.Equal(0, SharedRegion.DeleteAbandoned(directory.Names));
        Assert.True(SharedRegion.Delete(directory.Names, "a"));
    }

    [SkippableFact]
    public void A_reader_in_another_container_is_told_of_a_killed_writer_and_a_successor_takes_its_place()
    {
        SharedRing ring = Create(4096);
        RingChild writer = Keep(OtherNamespace.StartRing());
        RingChild reader = Keep(OtherNamespace.StartRing());
        RingChild successor = Keep(OtherNamespace.StartRing());
        Array.ForEach([writer, reader, successor], child => Assert.Equal("done", child.Ask($"open {Name}")));
        Assert.Equal("done", writer.Ask("write 0 3"));
        Assert.Equal("done", reader.Ask("read 0 3"));
        Assert.Contains("which must dispose its ring first: process 1.", successor.Ask("attach-writer"), StringComparison.Ordinal);
        Assert.Equal((1, 1), (ring.WriterProcessId, ring.ReaderProcessId));

        reader.Tell("read 3 1");
        OtherNamespace.Kill(writer);
        Assert.Equal("lost 1 False", reader.Answer());
        Assert.Equal(0, ring.WriterProcessId);
        Assert.Equal("done", successor.Ask("write 3 4"));
        Assert.Equal("done", reader.Ask("read 3 4"));
        Assert.Equal((1, 1), (ring.WriterProcessId, ring.ReaderProcessId));
    }

    [SkippableFact]
    public void A_writer_in_another_container_is_told_of_a_killed_reader()
    {
        Create(64);
        RingChild reader = Keep(OtherNamespace.StartRing());
        RingChild writer = Keep(OtherNamespace.StartRing());
        Assert.Equal("done", reader.Ask($"open {Name}"));
        Assert.Equal("done", writer.Ask($"open {Name}"));
        Assert.Equal("done", reader.Ask("attach-reader"));
        Assert.NotEqual("0", writer.Ask("fill"));
        writer.Tell("write 27 1");
        OtherNamespace.Kill(reader);
        Assert.Equal("lost 1 False", writer.Answer());
    }

    /// <summary>As a service that creates its ring: killed, and started again in a new container.</summary>
    [SkippableFact]
    public void A_restarted_creator_opens_its_ring_again_or_makes_it_anew()
    {
        using RingChild first = OtherNamespace.StartRing();
        using RingChild second = OtherNamespace.StartRing();
        using RingChild third = OtherNamespace.StartRing();
        Assert.Equal("done", first.Ask($"create-or-open {Name} 4096"));
        Assert.Equal("done", first.Ask("write 0 5"));
        OtherNamespace.Kill(first);
        Assert.Equal("done", second.Ask($"create-or-open {Name} 4096"));
        Assert.Equal("done", second.Ask("write 5 5"));
        Assert.Equal("done", third.Ask($"create-or-open {Name} 4096"));
        Assert.Equal("done", third.Ask("read 0 10"));
        OtherNamespace.Kill(second);
        Assert.Contains(SharedRegion.List(), region => region is { OwnerProcessId: 1, OwnerIsAlive: false } && region.Name == Name);
        Assert.True(SharedRegion.Delete(Name));
    }

    /// <summary>A program that a process starts has none of its files, so it does not keep the process's seats.</summary>
    [SkippableFact]
    public void A_process_that_outlives_the_one_that_started_it_keeps_no_seat()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "Only there are seats.");
        SharedRing ring = Create(4096);
        RingChild writer = Child();
        Assert.Equal("done", writer.Ask("write 0 1"));
        int started = int.Parse(writer.Ask("start sleep"));
        try
        {
            CommandedChild.Kill(writer.Id);
            Eventually.True(() => ring.WriterProcessId == 0, "the killed writer's seat is free");
            Assert.True(File.Exists($"/proc/{started}/stat"));
            ring.AttachWriter();
        }
        finally
        {
            CommandedChild.Kill(started);
        }
    }

    /// <summary>Locks of the other kind, which belong to a process, go with the first handle that it closes.</summary>
    [SkippableFact]
    public void A_seat_stays_when_its_process_opens_and_closes_the_ring_once_more()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "Only there are seats.");
        SharedRing ring = Create(4096);
        RingChild child = Child();
        ring.AttachWriter();
        SharedRing.Open(Name).Dispose();
        Assert.Single(SharedRegion.List(), region => region.Name == Name);
        Assert.StartsWith("InvalidOperationException", child.Ask("attach-writer"), StringComparison.Ordinal);
        Assert.Equal($"{Environment.ProcessId} 0", child.Ask("processes"));
    }
}
