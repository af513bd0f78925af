using Tarn.Lab.Tests;
using Tarn.Tool.Memory.Figures;

namespace Tarn.Tool.Tests.Memory;

/// <summary>The memory limit of a process, in files as both versions of control groups have them.</summary>
public class ControlGroupsTests
{
    private const long Megabyte = 1 << 20;

    [Fact]
    public void The_least_limit_of_all_groups_around_a_process_counts()
    {
        using var root = new TemporaryDirectory();
        Write(root, "proc/7/cgroup", "0::/pods/one");
        Write(root, "sys/fs/cgroup/pods/one/memory.max", "max");
        Write(root, "sys/fs/cgroup/pods/one/memory.current", "1000");
        Write(root, "sys/fs/cgroup/pods/memory.max", $"{512 * Megabyte}");
        Write(root, "sys/fs/cgroup/pods/memory.current", $"{400 * Megabyte}");
        Write(root, "sys/fs/cgroup/pods/memory.stat", $"anon 5\ninactive_file {30 * Megabyte}");
        Write(root, "sys/fs/cgroup/pods/memory.events", "low 0\noom 3\noom_kill 2");

        MemoryLimit limit = new ControlGroups(root.Path).Find(7)!;

        Assert.Equal(new MemoryLimit(512 * Megabyte, 400 * Megabyte, 30 * Megabyte, "/pods", 2), limit);
        Assert.Equal(142 * Megabyte, limit.FreeBytes);
    }

    [Fact]
    public void In_a_container_the_group_is_the_root_and_version_1_has_other_names()
    {
        using var root = new TemporaryDirectory();
        Write(root, "proc/7/cgroup", "5:cpu:/docker/abc\n4:memory:/docker/abc\n0::/");
        Write(root, "sys/fs/cgroup/memory/memory.limit_in_bytes", $"{256 * Megabyte}");
        Write(root, "sys/fs/cgroup/memory/memory.usage_in_bytes", $"{100 * Megabyte}");
        Write(root, "sys/fs/cgroup/memory/memory.stat", $"total_inactive_file {10 * Megabyte}");
        Write(root, "sys/fs/cgroup/memory/memory.oom_control", "under_oom 0");

        Assert.Equal(
            new MemoryLimit(256 * Megabyte, 100 * Megabyte, 10 * Megabyte, "/", null), new ControlGroups(root.Path).Find(7));
    }

    [Fact]
    public void No_limit_is_none()
    {
        using var root = new TemporaryDirectory();
        Write(root, "proc/7/cgroup", "4:memory:/\n0::/");
        Write(root, "sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712");
        Write(root, "sys/fs/cgroup/memory/memory.usage_in_bytes", "100");

        Assert.Null(new ControlGroups(root.Path).Find(7));
        Assert.Null(new ControlGroups(root.Path).Find(8));
    }

    private static void Write(TemporaryDirectory root, string path, string text)
    {
        string file = Path.Combine(root.Path, path);
        Directory.CreateDirectory(Path.GetDirectoryName(file)!);
        File.WriteAllText(file, text);
    }
}
