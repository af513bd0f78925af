using System.Globalization;
using Tarn.Tests.Support;
using Tarn.Torture.Children;

namespace Tarn.Tests.NativeHeaps;

/// <summary>A process whose address space is limited, as by <c>ulimit -v</c>.</summary>
public sealed class AddressSpaceLimitTests
{
    /// <summary>The larger one takes over a gibibyte of memory.</summary>
    public static TheoryData<int> Limits => StressLength.IsAsked ? [1536, 3072] : [1536];

    /// <summary>
    /// Where there is no address space, there is none for an assembly either, nor for the threads and the code that follow a collection.
    /// </summary>
    [Theory]
    [InlineData(100)]
    [InlineData(1 << 20)]
    public void A_call_that_is_refused_memory_loads_no_assembly_and_collects_nothing(int size) =>
        Assert.Equal(["loaded:", "collections: 0"], ChildProcess.Run(["refused memory", $"{size}"]));

    /// <summary>Nothing was compiled before for the case that the system refuses, as in a program that meets its limit once.</summary>
    [Theory]
    [InlineData(1000)]
    [InlineData(1 << 20)]
    public void The_first_refusal_of_a_process_is_an_exception_that_names_the_size(int size)
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        (int exitCode, string output, string error) = ChildProcess.RunToEnd(
            ["first refusal", $"{size}", $"{2000 << 20}"], $"ulimit -v {2000 * 1024}", ("DOTNET_GCHeapHardLimit", "0x4000000"));
        Assert.True(exitCode == 0, $"Exit code {exitCode}: {output}{error}");
        string[] lines = ChildProcess.Lines(output);
        Assert.Contains($" a block of {size} bytes: ", lines[0], StringComparison.Ordinal);
        Assert.Equal("in use: 0", lines[1]);
    }

    [Theory]
    [MemberData(nameof(Limits))]
    public void Available_memory_can_be_allocated_twice_and_then_an_exception_follows(int mebibytes)
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }

        // The collector's own reservation is a multiple of its limit; the runtime needs several hundred MiB of address space besides. A
        // collection between two fills would start a thread, whose memory the second fill would miss, so the first one may come late.
        (int exitCode, string output, string error) = ChildProcess.RunToEnd(
            ["heap-limit"], $"ulimit -v {mebibytes * 1024}",
            ("DOTNET_GCHeapHardLimit", "0x4000000"), ("DOTNET_GCgen0size", "0x4000000"), ("DOTNET_TieredCompilation", "0"),
            ChildProgram.CompilesWithoutMappings);
        Assert.True(exitCode == 0, $"Exit code {exitCode}: {output}{error}");
        string[] lines = ChildProcess.Lines(output);
        Assert.Equal(4, lines.Length);
        foreach (string line in lines)
        {
            string[] words = line.Split(' ');
            Assert.Equal("0", words[4]);
            long[] had = [.. words[1..4].Select(static word => long.Parse(word, CultureInfo.InvariantCulture))];
            Assert.All(had, bytes => Assert.InRange(bytes, 32L << 20, (long)mebibytes << 20));

            // Not all of it: regions that hold a last cached block stand in the way, and there are two or three regions in all.
            Assert.InRange(had[1], had[0] / 3, long.MaxValue);
            Assert.InRange(had[2], had[0] * 9 / 10, long.MaxValue);
        }
    }
}
