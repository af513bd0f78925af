using System.Globalization;
using Tarn.Tests.Support;
using Tarn.Torture.Children;

namespace Tarn.Tests.Platform;

/// <summary>A system that really refuses: processes under limits, whose every refusal is an answer and nothing worse.</summary>
public sealed class MemoryLimitTests
{
    private const string MaxMappingsFile = "/proc/sys/vm/max_map_count";

    /// <summary>The exit code that a shell reports for a process ended by SIGABRT.</summary>
    private const int AbortedByRuntime = 134;

    /// <summary>And by SIGSEGV.</summary>
    private const int CrashedByRuntime = 128 + 11;

    // Otherwise the collector reserves more than any of the limits. A runtime that compiles a method without available memory dies, and
    // compiling with W^X takes a mapping each time.
    private static readonly (string, string?)[] s_smallRuntime =
    [
        ("DOTNET_GCHeapHardLimit", "0x4000000"), ("DOTNET_TieredCompilation", "0"), ChildProgram.CompilesWithoutMappings,
    ];

    [SkippableFact]
    public void Without_address_space_a_reservation_is_refused_and_nothing_is_lost()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "The limit on address space is one of Linux's.");
        Dictionary<string, long> found = Run(["address-space"], "ulimit -v 3500000");

        Assert.Equal(0, found["too much"]);
        Assert.Equal(0, found["too aligned"]);
        Assert.InRange(found["first"], 10, 54);
        // The C library may take some of it for the heap of another thread in the meantime.
        Assert.InRange(found["second"], found["first"] - 3, found["first"] + 3);
        Assert.Equal(42, found["used"]);
    }

    [SkippableFact]
    public void Without_writable_memory_a_commit_is_refused_and_committed_memory_is_unharmed()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "The limit on writable memory is one of Linux's.");
        Dictionary<string, long> found = Run(["writable"], "ulimit -d 4000000");

        Assert.Equal(
            new Dictionary<string, long>
            {
                ["reserved"] = 1,
                ["little"] = 1,
                ["much"] = 0,
                ["contents"] = 42,
                ["little again"] = 1,
                ["fresh"] = 0,
            },
            found);
    }

    [SkippableFact]
    public void Without_mappings_a_seal_is_refused_and_releasing_gives_them_back()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "The limit on mappings is one of Linux's.");
        int most = int.Parse(File.ReadAllText(MaxMappingsFile), CultureInfo.InvariantCulture);
        Skip.If(most > 300_000, "There are too many mappings to use them all up.");
        (int exitCode, string output, string error) = ChildProcess.RunToEnd(["mappings", $"{most}"], limits: null, s_smallRuntime);
        Skip.If(
            exitCode is AbortedByRuntime or CrashedByRuntime && output.Length == 0,
            "The runtime needed a mapping while there was none, and gave up before the scenario did.");
        Dictionary<string, long> found = Read(exitCode, output, error);

        Assert.Equal(1, found["committed"]);
        Assert.InRange(found["sealed"], most / 4, most - 1);
        Assert.Equal(42, found["contents"]);
        Assert.Equal(1, found["again"]);
    }

    /// <summary>The numbers the scenario wrote, by their names.</summary>
    private static Dictionary<string, long> Run(string[] arguments, string limits)
    {
        (int exitCode, string output, string error) = ChildProcess.RunToEnd(arguments, limits, s_smallRuntime);
        return Read(exitCode, output, error);
    }

    private static Dictionary<string, long> Read(int exitCode, string output, string error)
    {
        Assert.True(exitCode == 0, $"Exit code {exitCode}: {output}{error}");
        return ChildProcess.Lines(output).Select(static line => line.Split('='))
            .ToDictionary(static pair => pair[0], static pair => long.Parse(pair[1], CultureInfo.InvariantCulture));
    }
}
