namespace Tarn.Tests.Platform;

/// <summary>The limit of a process, from files as Linux writes them.</summary>
public sealed class ProcessMemoryTests : IDisposable
{
    private const long Unlimited = 9223372036854771712;

    private readonly string _root = Directory.CreateTempSubdirectory("tarn-limits-").FullName;

    public ProcessMemoryTests() =>
        Write("proc/meminfo", "MemTotal:       1000 kB\nMemFree:        10 kB\nSwapCached:     7 kB\nSwapTotal:       500 kB\n");

    [Fact]
    public void The_machine_has_its_memory_and_its_swap() => Assert.Equal(1500 << 10, ProcessMemory.ReadLinux(_root));

    [Fact]
    public void What_cannot_be_read_limits_nothing() =>
        Assert.Equal(long.MaxValue, ProcessMemory.ReadLinux(Path.Combine(_root, "nowhere")));

    [Theory]
    [InlineData("max", "max", "max", 1500 << 10)]
    [InlineData("400000", "max", "max", 400_000 + (500 << 10))]
    [InlineData("400000", "max", "0", 400_000)]
    [InlineData("400000", "max", "100000", 500_000)]
    [InlineData("400000", "300000", "0", 300_000)]
    [InlineData("300000", "400000", "0", 300_000)]
    public void The_least_of_the_groups_counts(string outer, string inner, string swap, long limit)
    {
        Write("proc/self/cgroup", "0::/outer/inner\n");
        Write("sys/fs/cgroup/outer/memory.max", outer + "\n");
        Write("sys/fs/cgroup/outer/memory.swap.max", swap + "\n");
        Write("sys/fs/cgroup/outer/inner/memory.max", inner + "\n");
        Write("sys/fs/cgroup/outer/inner/memory.swap.max", swap + "\n");
        Assert.Equal(limit, ProcessMemory.ReadLinux(_root));
    }

    [Theory]
    [InlineData(Unlimited, Unlimited, 1500 << 10)]
    [InlineData(400_000, Unlimited, 400_000 + (500 << 10))]
    [InlineData(400_000, 450_000, 450_000)]
    public void Groups_of_the_first_version_limit_memory_and_both_together(long memory, long both, long limit)
    {
        Write("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/docker/1\n1:pids:/\n");

        // A container sees its group as the top.
        Write("sys/fs/cgroup/memory/memory.limit_in_bytes", $"{memory}\n");
        Write("sys/fs/cgroup/memory/memory.memsw.limit_in_bytes", $"{both}\n");
        Assert.Equal(limit, ProcessMemory.ReadLinux(_root));
    }

    [SkippableFact]
    public void This_machine_has_a_limit()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "only Linux tells it");
        Assert.InRange(ProcessMemory.Limit, 1 << 20, 1L << 50);
    }

    public void Dispose() => Directory.Delete(_root, recursive: true);

    private void Write(string file, string text)
    {
        string path = Path.Combine(_root, file);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, text);
    }
}
