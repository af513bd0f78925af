using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Tarn.SharedMemory.Tests.Carriers;

/// <content>Names that are taken, missing, or somebody else's.</content>
public abstract unsafe partial class RegionContract
{
    /// <summary>No process has this id and this start.</summary>
    private static readonly ProcessIdentity s_dead =
        new((ProcessIdentity.Self.Value & ~0xFFFF_FFFFUL) | (uint)(ProcessIdentity.Self.Value + 12345));

    [SkippableFact]
    public void A_name_is_given_once_and_the_message_names_its_process()
    {
        using SharedRegion region = Create("a", 100);
        IOException thrown = Assert.Throws<IOException>(() => Create("a", 200));
        Assert.Contains("\"a\" is taken", thrown.Message, StringComparison.Ordinal);
        Assert.Contains($"process {Environment.ProcessId} created a region of 100 bytes", thrown.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("ended", thrown.Message, StringComparison.Ordinal);
        Assert.Equal(["tarn.a"], _directory.Files);
    }

    [SkippableFact]
    public void A_name_of_a_dead_process_is_taken_and_the_message_names_the_way_out()
    {
        MakeAbandoned("a");
        IOException thrown = Assert.Throws<IOException>(() => Create("a", 200));
        Assert.Contains(
            $"process {Environment.ProcessId} created a region of 100 bytes and exited", thrown.Message, StringComparison.Ordinal);
        Assert.Contains("DeleteAbandoned", thrown.Message, StringComparison.Ordinal);
        using SharedRegion opened = Open("a");
        Assert.Equal(100, opened.Size);
    }

    [SkippableFact]
    public void A_missing_name_is_reported()
    {
        FileNotFoundException thrown = Assert.Throws<FileNotFoundException>(() => Open("gone"));
        Assert.Contains("\"gone\"", thrown.Message, StringComparison.Ordinal);
        Assert.False(SharedRegion.Delete(Names, "gone"));
    }

    [SkippableFact]
    public void CreateOrOpen_makes_a_region_and_opens_one()
    {
        using SharedRegion made = SharedRegion.CreateOrOpen(Names, "a", 100, options: null);
        made.Pointer[0] = 5;
        using SharedRegion opened = SharedRegion.CreateOrOpen(Names, "a", 100, options: null);
        Assert.Equal(5, opened.Pointer[0]);
        IOException thrown = Assert.Throws<IOException>(() => SharedRegion.CreateOrOpen(Names, "a", 101, options: null));
        Assert.Contains("\"a\"", thrown.Message, StringComparison.Ordinal);
        Assert.Contains("100", thrown.Message, StringComparison.Ordinal);
        Assert.Contains("101", thrown.Message, StringComparison.Ordinal);
        Assert.Equal(["tarn.a"], _directory.Files);
    }

    [SkippableTheory]
    [InlineData(true)]
    [InlineData(false)]
    public void Of_many_threads_at_once_exactly_one_makes_a_region(bool opensToo)
    {
        const int Threads = 4;
        for (int round = 0; round < StressLength.Times(25, 100); round++)
        {
            using Barrier start = new(Threads);
            SharedRegion?[] regions = new SharedRegion?[Threads];
            Task[] tasks = [.. Enumerable.Range(0, Threads).Select(index => Task.Factory.StartNew(() =>
            {
                start.SignalAndWait();
                try
                {
                    regions[index] = opensToo ? SharedRegion.CreateOrOpen(Names, "a", 64, options: null) : Create("a", 64);
                    Interlocked.Increment(ref Unsafe.AsRef<int>(regions[index]!.Pointer));
                }
                catch (IOException) when (!opensToo)
                {
                    // Another was first.
                }
            }, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default))];
            Task.WaitAll(tasks);

            SharedRegion[] had = [.. regions.OfType<SharedRegion>()];
            Assert.Equal(opensToo ? Threads : 1, had.Length);
            Assert.All(had, region => Assert.Equal(had.Length, *(int*)region.Pointer));
            Assert.Equal(["tarn.a"], _directory.Files);
            Array.ForEach(had, static region => region.Dispose());
            Assert.Empty(_directory.Files);
        }
    }

    [SkippableFact]
    public void A_ring_is_not_a_region()
    {
        using SharedRegion ring = SharedRegion.Create(Names, "a", new RegionShape(100), options: null, RegionKind.Ring);
        InvalidDataException thrown = Assert.Throws<InvalidDataException>(() => Open("a"));
        Assert.Contains("\"a\" cannot be opened as a plain region: it is a ring", thrown.Message, StringComparison.Ordinal);
        Assert.Throws<InvalidDataException>(() => SharedRegion.CreateOrOpen(Names, "a", 100, options: null));
        using SharedRegion plain = Create("b", 100);
        thrown = Assert.Throws<InvalidDataException>(() => SharedRegion.Open(Names, "b", RegionKind.Ring));
        Assert.Contains("\"b\" cannot be opened as a ring: it is a plain region", thrown.Message, StringComparison.Ordinal);
        Assert.True(SharedRegion.Delete(Names, "a"));
    }

    /// <summary>An object that another program left under such a name is not opened and not deleted, and no call waits for it.</summary>
    [SkippableTheory]
    [InlineData("file")]
    [InlineData("empty")]
    [InlineData("directory")]
    [InlineData("link")]
    [InlineData("dangling")]
    [InlineData("pipe")]
    public void A_file_that_is_not_a_region_is_refused_and_left_alone(string what)
    {
        Skip.If(OperatingSystem.IsWindows() && what is "link" or "dangling" or "pipe", "Windows allows these to privileged users only.");
        using SharedRegion target = Create("target", 100);
        Put(what, _directory.FileOf("a"));

        AssertRefused(() => Open("a"));
        AssertRefused(() => SharedRegion.CreateOrOpen(Names, "a", 100, options: null));
        AssertRefused(() => SharedRegion.Delete(Names, "a"));
        Assert.Contains(
            "is taken by a file that is not a shared region", AssertRefused(() => Create("a", 100)).Message, StringComparison.Ordinal);
        Assert.Equal(["target"], SharedRegion.List(Names).Select(static region => region.Name));
        Assert.Equal(0, SharedRegion.DeleteAbandoned(Names));
        Assert.Equal(["tarn.a", "tarn.target"], _directory.Files);
    }

    [SkippableFact]
    public void Other_files_with_similar_names_are_not_regions()
    {
        string[] others = ["tarn", "tarnished", "tarn~", "tarn~x", "tarn~1~", "tarn~zz~1", "TARN.b", "xtarn.a"];
        Array.ForEach(others, name => File.WriteAllText(Path.Combine(_directory.Path, name), "other"));
        using SharedRegion region = Create("a", 100);
        Assert.Equal(["a"], SharedRegion.List(Names).Select(static region => region.Name));
        Assert.Equal(0, SharedRegion.DeleteAbandoned(Names));
        Assert.Equal([.. others.Append("tarn.a").Order(StringComparer.Ordinal)], _directory.Files);
    }

    [SkippableFact]
    public void A_directory_that_there_is_not_has_no_regions_and_takes_none()
    {
        NamedMemory names = _directory.Kind == "linux" && OperatingSystem.IsLinux()
            ? new LinuxNamedMemory(_directory.Path + "/gone")
            : new FileNamedMemory(_directory.Path + "/gone");
        Assert.Empty(SharedRegion.List(names));
        Assert.Equal(0, SharedRegion.DeleteAbandoned(names));
        Assert.Contains(
            $"{Path.Combine("gone", "tarn.a")} cannot",
            Assert.ThrowsAny<IOException>(() => SharedRegion.Create(names, "a", 1, options: null)).Message,
            StringComparison.Ordinal);
        Assert.ThrowsAny<IOException>(() => SharedRegion.CreateOrOpen(names, "a", 1, options: null));
        Assert.Throws<FileNotFoundException>(() => SharedRegion.Open(names, "a"));
        Assert.False(SharedRegion.Delete(names, "a"));
    }

    private static Exception AssertRefused(Action action)
    {
        Exception? thrown = Record.Exception(action);
        Assert.True(thrown is InvalidDataException or IOException, $"{thrown}");
        return thrown!;
    }

    private void Put(string what, string path)
    {
        switch (what)
        {
            case "directory":
                Directory.CreateDirectory(path);
                break;
            case "link":
                File.CreateSymbolicLink(path, _directory.FileOf("target"));
                break;
            case "dangling":
                File.CreateSymbolicLink(path, _directory.FileOf("nothing"));
                break;
            case "pipe":
                Assert.Equal(0, MakePipe(path, 0x180));
                break;
            default:
                File.WriteAllText(path, what == "empty" ? "" : new string('x', 10_000));
                break;
        }
    }

    /// <summary>A region whose owner no longer exists.</summary>
    /// <summary>As a killed process leaves a region.</summary>
    private void MakeAbandoned(string name, int size = 100)
    {
        Create(name, size, new SharedRegionOptions { DeleteOnDispose = false }).Dispose();
        ChangeHeader(name, static (ref header) => (header.Owner, header.IsKept, header.OwnerLetGo) = (s_dead, 0, 0));
    }

    private void ChangeHeader(string name, HeaderChange change)
    {
        using FileStream file = new(_directory.FileOf(name), FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite, bufferSize: 0);
        RegionHeader header = default;
        Span<byte> bytes = MemoryMarshal.AsBytes(new Span<RegionHeader>(ref header));
        file.ReadExactly(bytes);
        change(ref header);
        file.Position = 0;
        file.Write(bytes);
    }

    private delegate void HeaderChange(ref RegionHeader header);

    [LibraryImport("libc", EntryPoint = "mkfifo", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int MakePipe(string path, uint mode);
}
