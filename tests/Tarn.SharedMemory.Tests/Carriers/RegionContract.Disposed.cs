using System.Buffers;
using System.Runtime.CompilerServices;

namespace Tarn.SharedMemory.Tests.Carriers;

/// <content>The state of a region that was disposed, or forgotten.</content>
public abstract unsafe partial class RegionContract
{
    [SkippableFact]
    public void After_Dispose_all_but_name_and_size_throw()
    {
        SharedRegion region = Create("a", 100);
        Memory<byte> memory = region.GetMemory(10, 20);
        Memory<byte> nothing = region.GetMemory(100, 0);
        region.Dispose();
        region.Dispose();
        Assert.Equal("a", region.Name);
        Assert.Equal(100, region.Size);
        Assert.Throws<ObjectDisposedException>(() => (nint)region.Pointer);
        Assert.Throws<ObjectDisposedException>(() => { region.GetSpan(0, 1); });
        Assert.Throws<ObjectDisposedException>(() => region.GetMemory(0, 1));
        Assert.Throws<ObjectDisposedException>(() => memory.Span.Length);
        Assert.Throws<ObjectDisposedException>(() => nothing.Span.Length);
        Assert.Throws<ObjectDisposedException>(() => memory.Pin().Dispose());
    }

    [SkippableFact]
    public void A_pin_keeps_the_bytes_mapped_after_Dispose()
    {
        SharedRegion region = Create("a", 10_000);
        BlockContents.Write(region.Pointer, 10_000, 5);
        MemoryHandle pin = region.GetMemory(0, 10_000).Pin();
        MemoryHandle second = region.GetMemory(5000, 1).Pin();
        region.Dispose();
        Assert.Throws<ObjectDisposedException>(() => region.GetSpan(0, 1).Length);
        Assert.Empty(_directory.Files);
        Assert.True(IsMapped());
        BlockContents.Verify(pin.Pointer, 10_000, 5);
        pin.Dispose();
        Assert.True(IsMapped());
        *(byte*)second.Pointer = 1;
        second.Dispose();
        Assert.False(IsMapped(whenUnknown: false));
    }

    [SkippableFact]
    public void Disposing_at_once_on_many_threads_is_disposing_once()
    {
        for (int round = 0; round < 50; round++)
        {
            SharedRegion region = Create("a", 5000);
            SharedRegion opened = Open("a");
            using (MemoryHandle pin = opened.GetMemory(0, 10).Pin())
            {
                Parallel.For(0, 4, _ =>
                {
                    region.Dispose();
                    opened.Dispose();
                });
                *(byte*)pin.Pointer = 1;
            }

            Assert.Empty(_directory.Files);
        }

        Assert.False(IsMapped(whenUnknown: false));
    }

    /// <summary>A pin during a concurrent disposal gets the bytes, or an exception saying that they are gone.</summary>
    [SkippableFact]
    public void Pins_beside_a_Dispose_reach_the_bytes_or_are_refused()
    {
        for (int round = 0; round < 50; round++)
        {
            SharedRegion region = Create("a", 5000);
            using ManualResetEventSlim isPinned = new();
            Task pins = Task.Run(() =>
            {
                try
                {
                    while (true)
                    {
                        using MemoryHandle pin = region.GetMemory(0, 5000).Pin();
                        *(byte*)pin.Pointer = 7;
                        isPinned.Set();
                    }
                }
                catch (ObjectDisposedException)
                {
                }
            });
            isPinned.Wait();
            region.Dispose();
            pins.GetAwaiter().GetResult();
        }

        Assert.False(IsMapped(whenUnknown: false));
    }

    [SkippableFact]
    public void A_region_that_is_to_stay_stays_until_it_is_deleted()
    {
        using (SharedRegion region = Create("a", 100, new SharedRegionOptions { DeleteOnDispose = false }))
        {
            region.Pointer[99] = 42;
        }

        using (SharedRegion opened = Open("a"))
        {
            Assert.Equal(42, opened.Pointer[99]);
        }

        Assert.Equal(["tarn.a"], _directory.Files);
        Assert.True(SharedRegion.Delete(Names, "a"));
        Assert.False(SharedRegion.Delete(Names, "a"));
        Assert.Empty(_directory.Files);
    }

    [SkippableFact]
    public void A_process_that_opened_a_region_does_not_delete_it()
    {
        using SharedRegion region = Create("a", 100);
        Open("a").Dispose();
        SharedRegion.CreateOrOpen(Names, "a", 100, new SharedRegionOptions { DeleteOnDispose = true }).Dispose();
        Assert.Equal(["tarn.a"], _directory.Files);
    }

    [SkippableFact]
    public void A_deleted_name_is_free_and_the_region_stays_for_processes_that_have_it_open()
    {
        using SharedRegion first = Create("a", 100);
        using SharedRegion opened = Open("a");
        first.Pointer[0] = 1;
        Assert.True(SharedRegion.Delete(Names, "a"));
        Assert.Throws<FileNotFoundException>(() => Open("a"));

        using SharedRegion second = Create("a", 200);
        Assert.Equal(0, second.Pointer[0]);
        second.Pointer[0] = 2;
        Assert.Equal(1, opened.Pointer[0]);
        opened.Pointer[50] = 3;
        Assert.Equal(3, first.Pointer[50]);
    }

    [SkippableFact]
    public void A_creator_whose_name_is_anothers_by_now_leaves_it_alone()
    {
        SharedRegion first = Create("a", 100);
        Assert.True(SharedRegion.Delete(Names, "a"));
        using SharedRegion second = Create("a", 100);
        first.Dispose();
        Assert.Equal(["tarn.a"], _directory.Files);
        second.Pointer[0] = 2;
        using SharedRegion opened = Open("a");
        Assert.Equal(2, opened.Pointer[0]);
    }

    [SkippableFact]
    public void A_creator_whose_name_is_another_programs_by_now_leaves_it_alone()
    {
        Skip.If(OperatingSystem.IsWindows(), "Windows keeps a file that is mapped.");
        SharedRegion first = Create("a", 100);
        File.Delete(_directory.FileOf("a"));
        File.WriteAllText(_directory.FileOf("a"), "mine");
        first.Dispose();
        Assert.Equal("mine", File.ReadAllText(_directory.FileOf("a")));
    }

    [SkippableFact]
    public void A_region_that_was_forgotten_is_unmapped_and_keeps_its_name()
    {
        Forget();
        Eventually.TrueAfterCollections(() => !IsMapped(whenUnknown: false), "the region is unmapped");
        using SharedRegion opened = Open("a");
        Assert.Equal(42, opened.Pointer[99]);
    }

    [SkippableFact]
    public void A_memory_keeps_a_forgotten_region_alive()
    {
        Memory<byte> memory = ForgetButFor();
        Eventually.Collect();
        Assert.True(IsMapped());
        Assert.Equal(42, memory.Span[0]);
        GC.KeepAlive(memory);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Forget() => Create("a", 100).Pointer[99] = 42;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private Memory<byte> ForgetButFor()
    {
        SharedRegion region = Create("a", 100);
        region.Pointer[99] = 42;
        return region.GetMemory(99, 1);
    }

    /// <summary>Whether this process has mapped a file of this test's.</summary>
    private bool IsMapped(bool whenUnknown = true) => OperatingSystem.IsLinux()
        ? File.ReadLines("/proc/self/maps").Any(line => line.Contains(_directory.Path, StringComparison.Ordinal))
        : whenUnknown;
}
