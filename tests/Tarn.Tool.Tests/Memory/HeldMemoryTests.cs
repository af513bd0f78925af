using System.Diagnostics;
using System.Globalization;
using Tarn.SharedMemory;
using Tarn.Tests.Support;
using Tarn.Tool.Memory;
using Tarn.Tool.Tests.Recording;

namespace Tarn.Tool.Tests.Memory;

/// <summary>A program that holds a known amount of each kind of memory, which the snapshots must find where it is.</summary>
public class HeldMemoryTests
{
    private const double Tolerance = 0.05;

    private static readonly string[] s_libraries = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"];

    /// <summary>What the child is asked for, and where it must show.</summary>
    private static readonly (string Kind, MemoryGroupKind Group, string Item)[] s_kinds =
    [
        ("arenas", MemoryGroupKind.Native, MemoryTally.Arenas),
        ("stacks", MemoryGroupKind.Stacks, "stacks"),
        ("file", MemoryGroupKind.Files, "other files"),
        ("mapping", MemoryGroupKind.Unnamed, "large allocations and other mappings"),
        ("heap", MemoryGroupKind.Tarn, ""),
        ("region", MemoryGroupKind.Shared, ""),
        ("code", MemoryGroupKind.Code, "compiled code"),
    ];

    [SkippableFact]
    public async Task Each_kind_is_found_where_it_is_and_all_add_up_to_the_resident_memory()
    {
        Skip.IfNot(StressLength.IsLong, "it runs programs for a while; the long form does it");
        Skip.IfNot(OperatingSystem.IsLinux(), "only Linux tells of each mapping what it is for");
        using Process child = await StartAsync("held memory");
        try
        {
            using var probe = new MemoryProbe(child.Id, collects: false);
            MemorySnapshot before = Take(probe, child);
            foreach ((string kind, MemoryGroupKind group, string item) in s_kinds)
            {
                long held = await AskAsync(child, kind);
                MemorySnapshot after = Take(probe, child);

                long grown = Bytes(after, group, item) - Bytes(before, group, item);
                Assert.True(
                    Math.Abs(grown - held) <= held * Tolerance, $"{kind}: holds {held:N0} bytes, and {group} {item} grew by {grown:N0}.");
                before = after;
            }
        }
        finally
        {
            // What is killed leaves its region behind.
            child.Kill();
            child.WaitForExit();
            SharedRegion.Delete($"held-{child.Id}");
        }
    }

    [SkippableFact]
    public async Task Holes_between_large_objects_are_found_and_what_to_do()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "only Linux tells of each mapping what it is for");
        using Process child = await StartAsync("held memory");
        try
        {
            long holes = await AskAsync(child, "large objects");

            // The runtime tells the sizes once a second, and later on a busy machine. The snapshot says so then.
            using var probe = new MemoryProbe(child.Id, collects: false);
            (MemorySnapshot snapshot, MemoryItem large) = TakeLarge(probe, child);
            for (int tries = 1; large.FreeBytes is null && tries < 20; tries++)
            {
                (snapshot, large) = TakeLarge(probe, child);
            }

            Assert.InRange(large.FreeBytes!.Value, holes * (1 - Tolerance), holes * (1 + Tolerance));
            Assert.InRange(large.Bytes - large.FreeBytes.Value, holes * (1 - Tolerance), holes * (1 + Tolerance));
            MemoryAdvice advice = Assert.Single(
                snapshot.Advice, one => one.Evidence.StartsWith("Large objects have", StringComparison.Ordinal));
            Assert.Contains("tarn candidates", advice.Action, StringComparison.Ordinal);
            Assert.Equal(large.FreeBytes, advice.FreesUpToBytes);
        }
        finally
        {
            child.Kill();
        }
    }

    /// <summary>The case of dotnet/runtime#122027: the advice, applied, frees what it said.</summary>
    [SkippableFact]
    public async Task What_the_advice_for_arenas_says_comes_true()
    {
        Skip.IfNot(StressLength.IsLong, "it runs a program to its end twice; the long form does it");
        Skip.IfNot(File.Exists("/lib/x86_64-linux-gnu/libc.so.6") || File.Exists("/lib/aarch64-linux-gnu/libc.so.6"), "glibc is not here");
        MemorySnapshot many = await TakeAsync([]);
        MemorySnapshot two = await TakeAsync([("MALLOC_ARENA_MAX", "2")]);

        MemoryAdvice advice = many.Advice[0];
        Assert.Equal("Start the process with MALLOC_ARENA_MAX=2.", advice.Action);
        Assert.DoesNotContain(two.Advice, one => one.Action == advice.Action);
        long freed = many.Group(MemoryGroupKind.Native).ResidentBytes - two.Group(MemoryGroupKind.Native).ResidentBytes;
        Assert.InRange(freed, advice.FreesUpToBytes!.Value * 0.8, advice.FreesUpToBytes.Value * 1.05);
    }

    /// <summary>Programs that run with another allocator in place of the C library's.</summary>
    [SkippableTheory]
    [InlineData("jemalloc", "libjemalloc.so.2", nameof(MemoryGroupKind.Unnamed))]
    [InlineData("mimalloc", "libmimalloc.so.2", nameof(MemoryGroupKind.Unnamed))]
    [InlineData("tcmalloc", "libtcmalloc_minimal.so.4", nameof(MemoryGroupKind.Native))]
    public async Task Another_allocator_is_known_by_its_mappings(string name, string library, string unnamed)
    {
        Skip.IfNot(StressLength.IsLong, "each allocator takes a program; the long form has each");
        string? path = s_libraries.Select(folder => Path.Combine(folder, library)).FirstOrDefault(File.Exists);
        Skip.If(path is null, $"{library} is not installed here");
        using Process child = await StartAsync("held memory", ("LD_PRELOAD", path!));
        try
        {
            // The first question to the runtime makes it allocate some mebibytes, with the same allocator.
            using var probe = new MemoryProbe(child.Id, collects: false);
            _ = Take(probe, child);
            MemorySnapshot before = Take(probe, child);
            foreach ((string kind, MemoryGroupKind group) in ((string, MemoryGroupKind)[])
                [("blocks", MemoryGroupKind.Native), ("mapping", Enum.Parse<MemoryGroupKind>(unnamed))])
            {
                long held = await AskAsync(child, kind);
                MemorySnapshot after = Take(probe, child);

                long grown = Bytes(after, group, "") - Bytes(before, group, "");
                Assert.True(
                    Math.Abs(grown - held) <= held * Tolerance, $"{name}, {kind}: holds {held:N0} bytes, and {group} grew by {grown:N0}.");
                Assert.Contains(after.Group(MemoryGroupKind.Native).Items, one => one.Name.Contains(name, StringComparison.Ordinal));
                before = after;
            }

            Assert.All(before.Group(MemoryGroupKind.Native).Items, one => Assert.Null(one.FreeBytes));
        }
        finally
        {
            child.Kill();
        }
    }

    private static async Task<MemorySnapshot> TakeAsync(params (string Name, string Value)[] variables)
    {
        using Process child = await StartAsync("scattered arenas", variables);
        try
        {
            using var probe = new MemoryProbe(child.Id, collects: false);
            MemorySnapshot snapshot = Take(probe, child);
            return snapshot;
        }
        finally
        {
            child.Kill();
        }
    }

    private static (MemorySnapshot Snapshot, MemoryItem LargeObjects) TakeLarge(MemoryProbe probe, Process child)
    {
        MemorySnapshot snapshot = Take(probe, child);
        return (snapshot, Assert.Single(
            snapshot.Group(MemoryGroupKind.GcHeap).Items, one => one.Name == MemoryTally.LargeObjects));
    }

    /// <summary>Takes a snapshot, which the system's own sum of a moment before and after must agree with.</summary>
    private static MemorySnapshot Take(MemoryProbe probe, Process child)
    {
        child.Refresh();
        long before = child.WorkingSet64;
        MemorySnapshot snapshot = probe.Take(CancellationToken.None);
        child.Refresh();
        Assert.InRange(snapshot.ResidentBytes, before * (1 - Tolerance), child.WorkingSet64 * (1 + Tolerance));
        AssertAddsUp(snapshot);
        return snapshot;
    }

    private static async Task<Process> StartAsync(string scenario, params (string Name, string Value)[] variables)
    {
        ProcessStartInfo start = Child.StartScenario(scenario);
        foreach ((string name, string value) in variables)
        {
            start.Environment[name] = value;
        }

        Process child = Process.Start(start)!;
        Assert.Equal("ready", await child.StandardOutput.ReadLineAsync());
        return child;
    }

    private static async Task<long> AskAsync(Process child, string kind)
    {
        await child.StandardInput.WriteLineAsync(kind);
        await child.StandardInput.FlushAsync();
        return long.Parse((await child.StandardOutput.ReadLineAsync())!, NumberStyles.None, CultureInfo.InvariantCulture);
    }

    private static long Bytes(MemorySnapshot snapshot, MemoryGroupKind group, string item) => item.Length == 0
        ? snapshot.Group(group).ResidentBytes
        : snapshot.Group(group).Items.FirstOrDefault(one => one.Name == item)?.Bytes ?? 0;

    private static void AssertAddsUp(MemorySnapshot snapshot)
    {
        Assert.Equal(snapshot.ResidentBytes, snapshot.Groups.Sum(group => group.ResidentBytes));
        Assert.All(snapshot.Groups, group => Assert.Equal(
            group.ResidentBytes, group.Items.Where(item => !item.IsWithinOthers).Sum(item => item.Bytes)));
    }
}
