using Tarn.Tool.Memory;
using Tarn.Tool.Memory.Figures;

namespace Tarn.Tool.Tests.Memory;

/// <summary>When there is advice, and when there is none.</summary>
public class MemoryRulesTests
{
    private const long Megabyte = 1 << 20;

    [Fact]
    public void A_process_that_uses_what_it_has_gets_no_advice()
    {
        MemorySnapshot small = SampleSnapshot.Build() with
        {
            ResidentBytes = 20 * Megabyte,
            Groups = [],
            Collector = null,
            Tarn = [],
            Limit = null,
        };

        Assert.Empty(new MemoryRules(small, Traits()).All());
        Assert.Empty(new MemoryRules(small, ProcessTraits.None).All());
    }

    [Fact]
    public void The_most_helpful_comes_first_with_its_evidence()
    {
        IReadOnlyList<MemoryAdvice> all = new MemoryRules(SampleSnapshot.Build(), Traits()).All();

        Assert.StartsWith("Start the process with MALLOC_ARENA_MAX=2", all[0].Action, StringComparison.Ordinal);
        Assert.Equal(341 * Megabyte, all[0].FreesUpToBytes);
        Assert.Contains("341 MiB of it is free", all[0].Evidence, StringComparison.Ordinal);
        Assert.StartsWith("Pool large arrays", all[1].Action, StringComparison.Ordinal);
        Assert.Contains(all, one => one.Action.StartsWith("Set DOTNET_GCHeapHardLimitPercent=0x", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("MALLOC_ARENA_MAX", "MALLOC_ARENA_MAX")]
    [InlineData("DOTNET_GCHeapHardLimitPercent", "GCHeapHardLimitPercent")]
    public void What_is_set_already_is_not_advised(string variable, string action)
    {
        IReadOnlyList<MemoryAdvice> without = new MemoryRules(SampleSnapshot.Build(), Traits()).All();
        IReadOnlyList<MemoryAdvice> with = new MemoryRules(SampleSnapshot.Build(), Traits(variable)).All();

        Assert.Contains(without, one => one.Action.Contains(action, StringComparison.Ordinal));
        Assert.DoesNotContain(with, one => one.Action.Contains(action, StringComparison.Ordinal));
    }

    [Fact]
    public void Other_parts_have_advice_of_their_own()
    {
        MemorySnapshot sample = SampleSnapshot.Build();
        (MemorySnapshot Snapshot, string Evidence)[] cases =
        [
            (sample with { Limit = sample.Limit! with { UsedBytes = 1_500 * Megabyte, Kills = 2 } }, "killed 2 processes"),
            (sample with { SwappedBytes = 100 * Megabyte }, "100 MiB are in the swap space"),
            (sample with { HugePageBytes = 600 * Megabyte }, "are huge pages of 2 MiB"),
            (sample with { Threads = 900 }, "900 threads have stacks"),
            (sample with { Tarn = [new("uploads", "array pool", Megabyte, 64 * Megabyte)] }, "Tarn's array pool uploads keeps 64 MiB idle"),
            (With(sample, MemoryGroupKind.Unnamed, 400), "Libraries that may be the owner: libSkiaSharp.so"),
            (With(sample, MemoryGroupKind.Code, 400), "after 14,203 compiled methods in 148 assemblies"),
        ];

        foreach ((MemorySnapshot snapshot, string evidence) in cases)
        {
            Assert.Contains(new MemoryRules(snapshot, Traits()).All(), one => one.Evidence.Contains(evidence, StringComparison.Ordinal));
        }
    }

    private static MemorySnapshot With(MemorySnapshot snapshot, MemoryGroupKind kind, long megabytes) => snapshot with
    {
        Groups = [.. snapshot.Groups.Select(group => group.Kind == kind ? group with { ResidentBytes = megabytes * Megabyte } : group)],
    };

    private static ProcessTraits Traits(params string[] variables) => new(
        variables.ToDictionary(name => name, _ => "2"), new MallocHeaps([], memory: null), null, 0, ["libSkiaSharp.so"]);
}
