using Tarn.SharedMemory;
using Tarn.Tool.Rings;

namespace Tarn.Tool.Tests.Rings;

/// <summary>Which regions <c>tarn rings --delete-abandoned</c> deletes, and what it says of the others.</summary>
public class AbandonedRegionsTests
{
    private static readonly SharedRegionOptions s_kept = new() { DeleteOnDispose = false };

    [SkippableFact]
    public void Only_what_no_process_has_open_is_deleted()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "only Linux tells whether a file is open");
        using var folder = new RegionFolder();
        using SharedRegion alive = SharedRegion.Create(folder.Names, "alive", 100, null);
        foreach (string name in (string[])["free", "mapped"])
        {
            SharedRegion.Create(folder.Names, name, 100, s_kept).Dispose();
            folder.Orphan(name);
        }

        SharedRegion.Create(folder.Names, "kept", 100, s_kept).Dispose();
        File.WriteAllText(folder.FileOf("text"), "not a region");
        using (SharedRegion mapped = SharedRegion.Open(folder.Names, "mapped"))
        {
            Dictionary<string, RegionDeletion> first = AbandonedRegions.Delete(folder.Names).ToDictionary(one => one.Name);

            Assert.Equal(["free"], first.Values.Where(one => one.IsDeleted).Select(one => one.Name));
            Assert.Equal(RegionHeader.Length + 100, first["free"].FreedBytes);
            Assert.Contains("another process has it open", first["mapped"].Reason, StringComparison.Ordinal);
            Assert.Contains($"process {Environment.ProcessId}, runs", first["alive"].Reason, StringComparison.Ordinal);
            Assert.Contains($"process {Environment.ProcessId}, runs", first["kept"].Reason, StringComparison.Ordinal);
            Assert.Contains("not a region", first["text"].Reason, StringComparison.Ordinal);
            mapped.GetSpan(0, 100).Fill(1);
        }

        RegionDeletion later = AbandonedRegions.Delete(folder.Names).Single(one => one.IsDeleted);
        Assert.Equal("mapped", later.Name);
        Assert.Equal(["tarn.alive", "tarn.kept", "tarn.text"], Directory.GetFiles(folder.Path).Select(Path.GetFileName).Order());
    }

    [SkippableFact]
    public void What_is_to_outlive_its_creator_is_deleted_by_name_alone()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "only Linux tells whether a file is open");
        using var folder = new RegionFolder();
        SharedRegion.Create(folder.Names, "durable", 100, s_kept).Dispose();
        folder.Orphan("durable", isPersistent: true);

        Assert.True(folder.Entry("durable").IsPersistent);
        RegionDeletion kept = Assert.Single(AbandonedRegions.Delete(folder.Names));
        Assert.False(kept.IsDeleted);
        Assert.Contains("tarn rings --delete durable", kept.Reason, StringComparison.Ordinal);
        using (SharedRegion.Open(folder.Names, "durable"))
        {
            RegionDeletion open = AbandonedRegions.DeleteNamed(folder.Names, "durable");
            Assert.Contains("another process has it open", open.Reason, StringComparison.Ordinal);
        }

        Assert.True(AbandonedRegions.DeleteNamed(folder.Names, "durable").IsDeleted);
        Assert.Equal("there is none", AbandonedRegions.DeleteNamed(folder.Names, "durable").Reason);
        Assert.Empty(Directory.GetFiles(folder.Path));
    }

    [SkippableFact]
    public void A_file_that_is_opened_while_it_is_judged_does_not_end_this_process()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "only Linux tells whether a file is open");
        using var folder = new RegionFolder();
        SharedRegion.Create(folder.Names, "raced", 100, s_kept).Dispose();
        using Microsoft.Win32.SafeHandles.SafeFileHandle file = folder.Names.TryOpen("tarn.raced")!;

        Assert.False(FileLease.IsOpenElsewhere(file));
        Assert.ThrowsAny<IOException>(() => SharedRegion.Open(folder.Names, "raced"));
        file.Dispose();
        SharedRegion.Open(folder.Names, "raced").Dispose();
    }
}
