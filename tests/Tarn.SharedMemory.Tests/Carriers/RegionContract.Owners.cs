using System.Runtime.InteropServices;

namespace Tarn.SharedMemory.Tests.Carriers;

/// <content>Regions of other users.</content>
public abstract unsafe partial class RegionContract
{
    private const uint Nobody = 65_534;

    [SkippableFact]
    public void A_region_of_another_user_is_not_opened_unless_the_caller_allows_it()
    {
        GiveToNobody("a");
        foreach (Action open in new Action[]
        {
            () => SharedRegion.Open(Names, "a"),
            () => SharedRegion.Open(Names, "a", allowOtherUsers: false),
            () => SharedRegion.CreateOrOpen(Names, "a", 100, options: null),
        })
        {
            string message = Assert.Throws<UnauthorizedAccessException>(open).Message;
            Assert.Contains($"\"a\" belongs to user {Nobody}", message, StringComparison.Ordinal);
            Assert.Contains($"user {FileStatus.CurrentUser}", message, StringComparison.Ordinal);
            Assert.Contains("Allow other users", message, StringComparison.Ordinal);
        }

        SharedRegion.Open(Names, "a", allowOtherUsers: true).Dispose();
        SharedRegion.CreateOrOpen(Names, "a", 100, options: null, allowOtherUsers: true).Dispose();
        Assert.True(SharedRegion.Delete(Names, "a"));
    }

    [SkippableFact]
    public void A_ring_of_another_user_is_not_opened_either()
    {
        GiveToNobody("a", RegionKind.Ring);
        Assert.Throws<UnauthorizedAccessException>(() => SharedRegion.Open(Names, "a", RegionKind.Ring));
        SharedRegion.Open(Names, "a", RegionKind.Ring, allowOtherUsers: true).Dispose();
    }

    [SkippableFact]
    public void A_file_has_the_owner_and_the_number_that_the_system_shows()
    {
        MakeKept("a", 100);
        MakeKept("b", 100);
        FileStatus a = StatusOf("a");

        Assert.Equal(FileStatus.CurrentUser, a.Owner);
        Assert.Equal(a, StatusOf("a"));
        Assert.Equal(a.Device, StatusOf("b").Device);
        Assert.NotEqual(a.Index, StatusOf("b").Index);
    }

    private FileStatus StatusOf(string name)
    {
        using Microsoft.Win32.SafeHandles.SafeFileHandle file = File.OpenHandle(_directory.FileOf(name));
        return FileStatus.Of(file);
    }

    private void GiveToNobody(string name, RegionKind kind = RegionKind.Plain)
    {
        Skip.If(OperatingSystem.IsWindows() || FileStatus.CurrentUser != FileStatus.Root, "Only root gives a file to another user.");
        SharedRegion.Create(Names, name, new RegionShape(100), new SharedRegionOptions { DeleteOnDispose = false }, kind).Dispose();
        Assert.Equal(0, ChangeOwner(_directory.FileOf(name), Nobody, Nobody));
    }

    [LibraryImport("libc", EntryPoint = "chown", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int ChangeOwner(string path, uint user, uint group);
}
