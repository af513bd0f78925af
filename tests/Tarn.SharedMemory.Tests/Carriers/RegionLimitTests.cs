using System.Globalization;

namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>Systems that refuse: no memory, no room, no permission, no files. Each its clear exception, and nothing left behind.</summary>
public sealed class RegionLimitTests
{
    [SkippableFact]
    public void More_than_is_free_is_refused_at_once_and_takes_nothing()
    {
        using RegionDirectory directory = RegionDirectory.Create("linux");
        long free = new DriveInfo(directory.Path).AvailableFreeSpace;
        long size = new DriveInfo(directory.Path).TotalSize + 1;
        IOException thrown = Assert.Throws<IOException>(() => SharedRegion.Create(directory.Names, "a", size, options: null));
        Assert.Contains("are free", thrown.Message, StringComparison.Ordinal);
        Assert.Contains("tarn.a", thrown.Message, StringComparison.Ordinal);
        Assert.Throws<IOException>(() => SharedRegion.CreateOrOpen(directory.Names, "a", size, options: null));
        Assert.Empty(directory.Files);

        // Others use the file system at the same time, but not by half of it.
        Assert.InRange(new DriveInfo(directory.Path).AvailableFreeSpace, free / 2, long.MaxValue);
    }

    /// <summary>
    /// In a memory file system of its own of 1 MiB: a region that no longer fits is refused, and all memory that fits can be used again.
    /// </summary>
    [SkippableTheory]
    [InlineData("create")]
    [InlineData("create-huge")]
    [InlineData("create-or-open")]
    public void A_full_file_system_refuses_and_is_none_the_fuller(string command)
    {
        using RegionDirectory directory = RegionDirectory.Create("linux");
        using RegionChild child = StartWithOwnMemory(directory, "size=1m");
        long all = long.Parse(child.Ask("free"), CultureInfo.InvariantCulture);
        Assert.InRange(all, 900 << 10, 1 << 20);
        Assert.StartsWith("IOException: ", child.Ask($"{command} a {all}"), StringComparison.Ordinal);
        Assert.Equal($"{all}", child.Ask("free"));
        Assert.Equal($"{all - 4096}", child.Ask($"{command} a {all - 4096}"));

        // The system stands for all of it before anybody touches it.
        Assert.Equal("0", child.Ask("free"));
        Assert.Equal("filled", child.Ask("fill a 1"));
        string refused = child.Ask($"{command} b 1");
        Assert.StartsWith("IOException: ", refused, StringComparison.Ordinal);
        Assert.Contains("tarn.b cannot have", refused, StringComparison.Ordinal);
        Assert.Equal("tarn.a", child.Ask("files"));
        Assert.Equal("verified", child.Ask("verify a 1"));
        Assert.Equal("disposed", child.Ask("dispose a"));
        Assert.Equal($"{all}", child.Ask("free"));
        Assert.Equal("", child.Ask("files"));
    }

    /// <summary>Memory that is free at the request may be gone when it is taken, if others take it in between.</summary>
    [SkippableTheory]
    [InlineData("linux")]
    [InlineData("file")]
    public void Many_at_once_in_a_file_system_too_small_for_all_are_served_or_refused(string kind)
    {
        using RegionDirectory directory = RegionDirectory.Create("linux");
        using RegionChild child = StartWithOwnMemory(directory, "size=1m", kind);
        string all = child.Ask("free");
        Assert.Equal("served, refused", child.Ask("crowd a 300000"));
        Assert.Equal("", child.Ask("files"));
        Assert.Equal(all, child.Ask("free"));
    }

    /// <summary>Nobody asks how much of it is free.</summary>
    [SkippableFact]
    public void Temporary_files_that_find_no_room_are_refused_and_leave_nothing()
    {
        using RegionDirectory directory = RegionDirectory.Create("linux");
        using RegionChild child = StartWithOwnMemory(directory, "size=1m", "file");
        string all = child.Ask("free");
        string refused = child.Ask("create a 2000000");
        Assert.StartsWith("IOException: ", refused, StringComparison.Ordinal);
        Assert.Contains("tarn.a cannot have 2004096 bytes", refused, StringComparison.Ordinal);
        Assert.Equal("", child.Ask("files"));
        Assert.Equal(all, child.Ask("free"));
        Assert.Equal("500000", child.Ask("create a 500000"));
        Assert.StartsWith("IOException: ", child.Ask("create b 700000"), StringComparison.Ordinal);
        Assert.Equal("tarn.a", child.Ask("files"));
        Assert.Equal("filled", child.Ask("fill a 1"));
    }

    /// <summary>No more names than 3, of which the directory is one.</summary>
    [SkippableFact]
    public void A_file_system_that_takes_no_more_files_refuses()
    {
        using RegionDirectory directory = RegionDirectory.Create("linux");
        using RegionChild child = StartWithOwnMemory(directory, "size=1m,nr_inodes=3");
        Assert.Equal("1", child.Ask("create a 1"));
        Assert.Equal("1", child.Ask("create b 1"));
        string refused = child.Ask("create c 1");
        Assert.StartsWith("IOException: ", refused, StringComparison.Ordinal);
        Assert.Contains("tarn.c", refused, StringComparison.Ordinal);
        Assert.Equal("disposed", child.Ask("dispose a"));
        Assert.Equal("1", child.Ask("create c 1"));
    }

    [SkippableFact]
    public void A_file_system_without_a_limit_takes_regions()
    {
        using RegionDirectory directory = RegionDirectory.Create("linux");
        using RegionChild child = StartWithOwnMemory(directory, "size=0");
        Assert.Equal("100000", child.Ask("create a 100000"));
    }

    /// <summary>The process's own shared memory, as programs call it, which no other test of this machine uses.</summary>
    [SkippableFact]
    public void By_default_regions_are_in_the_directory_of_the_system()
    {
        using RegionDirectory directory = RegionDirectory.Create("linux");
        using RegionChild child = RegionChild.Start(
            "current", "-", "exec unshare -rm bash -c 'mount -t tmpfs -o size=1m tmpfs /dev/shm && exec \"$0\" \"$@\"' \"$0\" \"$@\"");
        Skip.If(child.TryAsk("pid") is null, "The process may not have mounts of its own.");
        Assert.Equal("1", child.Ask("create a 1"));
        Assert.Equal("tarn.a", child.Ask("files"));
        Assert.Contains("Name = a, Size = 1,", child.Ask("list"), StringComparison.Ordinal);
        Assert.Equal("0", child.Ask("abandoned"));
        Assert.StartsWith("IOException: ", child.Ask("create b 2000000"), StringComparison.Ordinal);
        Assert.Contains("/dev/shm/tarn.b cannot have 2004096 bytes", child.Ask("create b 2000000"), StringComparison.Ordinal);
    }

    [SkippableTheory]
    [InlineData("linux")]
    [InlineData("file")]
    public void Without_address_space_it_is_said_and_no_name_is_left(string kind)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "The limit on address space is one of Linux's.");
        using RegionDirectory directory = RegionDirectory.Create(kind);
        using SharedRegion large = SharedRegion.Create(directory.Names, "large", 1536 << 20, options: null);
        using RegionChild child = RegionChild.Start(
            directory, "ulimit -v 1572864", ("DOTNET_GCHeapHardLimit", "0x4000000"), ("DOTNET_TieredCompilation", "0"));
        string[] commands = ["create a 1610612736", "create-or-open a 1610612736", "open large", "create-huge a 1610612736"];
        foreach (string command in commands)
        {
            string refused = child.Ask(command);
            Assert.StartsWith(nameof(OutOfMemoryException), refused, StringComparison.Ordinal);
            Assert.Contains("no address space", refused, StringComparison.Ordinal);
        }

        Assert.Equal("tarn.large", child.Ask("files"));
        Assert.Equal("5000", child.Ask("create a 5000"));
    }

    [SkippableTheory]
    [InlineData("linux")]
    [InlineData("file")]
    public void Without_open_files_it_is_said_and_no_name_is_left(string kind)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "The limit is set the way of Linux.");
        using RegionDirectory directory = RegionDirectory.Create(kind);
        using RegionChild child = RegionChild.Start(directory, "ulimit -n 256");
        string[] answers = child.Ask("without-files a").Split("; ");
        Assert.Equal(3, answers.Length);
        Assert.All(answers, answer =>
        {
            Assert.StartsWith("IOException: ", answer, StringComparison.Ordinal);
            Assert.Contains("Too many open files", answer, StringComparison.Ordinal);
            Assert.Contains(directory.FileOf("a"), answer, StringComparison.Ordinal);
        });
        Assert.Equal("tarn.a.present", child.Ask("files"));
        Assert.Equal("1", child.Ask("create a 1"));
    }

    [SkippableTheory]
    [InlineData("linux")]
    [InlineData("file")]
    public void Another_users_region_is_refused_and_listed(string kind)
    {
        using RegionDirectory directory = RegionDirectory.Create(kind);
        using SharedRegion region = SharedRegion.Create(directory.Names, "a", 100, new SharedRegionOptions { Mode = UnixFileMode.None });
        using RegionChild child = StartUnprivileged(directory);
        Assert.StartsWith(nameof(UnauthorizedAccessException), child.Ask("open a"), StringComparison.Ordinal);
        Assert.Contains("tarn.a", child.Ask("open a"), StringComparison.Ordinal);
        Assert.StartsWith(nameof(UnauthorizedAccessException), child.Ask("create-or-open a 100"), StringComparison.Ordinal);
        Assert.StartsWith(nameof(UnauthorizedAccessException), child.Ask("delete a"), StringComparison.Ordinal);
        Assert.Equal($"{Listed.Region("a", 4196, 0, isAlive: true) with { OwnerIsUnknown = true }}", child.Ask("list"));
        Assert.Equal("0", child.Ask("abandoned"));
        Assert.Equal(["tarn.a"], directory.Files);
    }

    [SkippableTheory]
    [InlineData("linux")]
    [InlineData("file")]
    public void A_name_of_another_user_is_taken(string kind)
    {
        using RegionDirectory directory = RegionDirectory.Create(kind);
        using SharedRegion region = SharedRegion.Create(directory.Names, "a", 100, new SharedRegionOptions { Mode = UnixFileMode.None });
        AllowAll(directory);
        using RegionChild child = StartUnprivileged(directory);
        string taken = child.Ask("create a 100");
        Assert.StartsWith("IOException: ", taken, StringComparison.Ordinal);
        Assert.Contains("\"a\" is taken", taken, StringComparison.Ordinal);
        Assert.DoesNotContain("process 0", taken, StringComparison.Ordinal);
        Assert.Equal(["tarn.a"], directory.Files);
    }

    /// <summary>As in /dev/shm, where all may make files, and each remove their own alone.</summary>
    [SkippableTheory]
    [InlineData("linux")]
    [InlineData("file")]
    public void Regions_abandoned_by_another_user_stay_and_nothing_is_added(string kind)
    {
        Skip.IfNot(Environment.IsPrivilegedProcess, "It takes two users.");
        using RegionDirectory directory = RegionDirectory.Create(kind);
        AllowAll(directory);
        using RegionChild owner = RegionChild.Start(directory);
        owner.Ask("create-for-all a 100");
        owner.Kill();
        using RegionChild child = StartUnprivileged(directory);
        Assert.Equal("0", child.Ask("abandoned"));
        Assert.Equal(["tarn.a"], directory.Files);
        Assert.StartsWith(nameof(UnauthorizedAccessException), child.Ask("delete a"), StringComparison.Ordinal);
        Assert.Equal(["tarn.a"], directory.Files);
        Assert.Equal("100", child.Ask("open a"));
        Assert.Equal(1, SharedRegion.DeleteAbandoned(directory.Names));
    }

    [SkippableTheory]
    [InlineData("linux")]
    [InlineData("file")]
    public void Without_permission_for_the_directory_nothing_is_made(string kind)
    {
        using RegionDirectory directory = RegionDirectory.Create(kind);
        SetMode(directory, (UnixFileMode)0b101_101_101);
        using (RegionChild child = StartUnprivileged(directory))
        {
            string refused = child.Ask("create a 100");
            Assert.StartsWith(nameof(UnauthorizedAccessException), refused, StringComparison.Ordinal);
            Assert.Contains("tarn.a cannot be created", refused, StringComparison.Ordinal);
            Assert.StartsWith(nameof(UnauthorizedAccessException), child.Ask("create-or-open a 100"), StringComparison.Ordinal);
            Assert.Equal("", child.Ask("list"));
            Assert.Equal("0", child.Ask("abandoned"));
            Assert.StartsWith(nameof(FileNotFoundException), child.Ask("open a"), StringComparison.Ordinal);
        }

        SetMode(directory, (UnixFileMode)0b111_101_101);
        Assert.Empty(directory.Files);
    }

    /// <summary>The process's mask of permissions takes nothing away.</summary>
    [SkippableTheory]
    [InlineData("linux")]
    [InlineData("file")]
    public void Permissions_are_those_asked_for_whatever_the_mask(string kind)
    {
        Skip.If(OperatingSystem.IsWindows(), "There are no such permissions.");
        using RegionDirectory directory = RegionDirectory.Create(kind);
        using RegionChild child = RegionChild.Start(directory, "umask 0777");
        Assert.Equal("1", child.Ask("create-for-all a 1"));
        Assert.Equal("1", child.Ask("create b 1"));
        Assert.Equal((UnixFileMode)0b110_110_110, new FileInfo(directory.FileOf("a")).UnixFileMode);
        Assert.Equal((UnixFileMode)0b110_000_000, new FileInfo(directory.FileOf("b")).UnixFileMode);
    }

    /// <summary>All may write to it, and remove their own from it.</summary>
    private static void AllowAll(RegionDirectory directory) => SetMode(directory, UnixFileMode.StickyBit | (UnixFileMode)0b111_111_111);

    private static void SetMode(RegionDirectory directory, UnixFileMode mode)
    {
        if (OperatingSystem.IsWindows())
        {
            Skip.If(true, "Windows has other permissions.");
            return;
        }

        File.SetUnixFileMode(directory.Path, mode);
    }

    /// <summary>A process of another user if this one may all.</summary>
    private static RegionChild StartUnprivileged(RegionDirectory directory)
    {
        Skip.If(OperatingSystem.IsWindows(), "Windows has other permissions.");
        RegionChild child = RegionChild.Start(
            directory, Environment.IsPrivilegedProcess ? "exec setpriv --reuid=65534 --regid=65534 --clear-groups \"$0\" \"$@\"" : null);
        if (child.TryAsk("pid") is null)
        {
            child.Dispose();
            Skip.If(true, "No process of another user can be started.");
        }

        return child;
    }

    /// <summary>A process that sees a memory file system of its own in place of the test's directory.</summary>
    private static RegionChild StartWithOwnMemory(RegionDirectory directory, string options, string kind = "linux")
    {
        RegionChild child = RegionChild.Start(
            kind, directory.Path,
            $"exec unshare -rm bash -c 'mount -t tmpfs -o {options} tmpfs {directory.Path} && exec \"$0\" \"$@\"' \"$0\" \"$@\"");
        if (child.TryAsk("pid") is null)
        {
            child.Dispose();
            Skip.If(true, "The process may not have mounts of its own.");
        }

        return child;
    }
}
