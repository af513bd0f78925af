using System.Diagnostics;

namespace Tarn.SharedMemory.Tests.Platform;

/// <summary>Which process is which, and whether it still runs.</summary>
public sealed class ProcessIdentityTests
{
    [Fact]
    public void This_process_is_alive_and_has_its_id()
    {
        Assert.Equal(Environment.ProcessId, ProcessIdentity.Self.Id);
        Assert.True(ProcessIdentity.Self.IsAlive);
        Assert.NotEqual(0u, (uint)ProcessIdentity.Self.Value);
    }

    [Fact]
    public void A_process_of_the_same_id_that_started_at_another_time_is_another()
    {
        foreach (uint difference in (uint[])[1, 2, 0x8000_0000, uint.MaxValue])
        {
            ulong value = (ProcessIdentity.Self.Value & ~0xFFFF_FFFFUL) | unchecked((uint)ProcessIdentity.Self.Value + difference);
            Assert.Equal(Environment.ProcessId, new ProcessIdentity(value).Id);
            Assert.False(new ProcessIdentity(value).IsAlive);
        }
    }

    [SkippableFact]
    public void The_first_process_is_alive()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "It has this id on Linux.");
        string[] fields = File.ReadAllText("/proc/1/stat").Split(") ")[^1].Split(' ');
        ProcessIdentity first = new((1UL << 32) | uint.Parse(fields[19], System.Globalization.CultureInfo.InvariantCulture));
        Assert.True(first.IsAlive);
        Assert.False(new ProcessIdentity(first.Value + 1).IsAlive);
    }

    [Fact]
    public void Ids_that_no_process_has_are_dead()
    {
        Assert.False(new ProcessIdentity((ulong)int.MaxValue << 32).IsAlive);
    }

    /// <summary>A process's name may contain the characters that separate the fields of the system's line about it.</summary>
    [SkippableFact]
    public void A_process_of_any_name_is_known()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "Names stand among the fields on Linux.");
        string directory = Path.Combine(Path.GetTempPath(), $"tarn-tests-{Guid.NewGuid():n}");
        Directory.CreateDirectory(directory);
        string program = Path.Combine(directory, "a) Z (b 1");
        try
        {
            File.Copy("/bin/sleep", program);
            using Process process = Process.Start(program, "600");
            string[] fields = File.ReadAllText($"/proc/{process.Id}/stat").Split(") ")[^1].Split(' ');
            ProcessIdentity identity = new(
                ((ulong)process.Id << 32) | uint.Parse(fields[19], System.Globalization.CultureInfo.InvariantCulture));
            Assert.True(identity.IsAlive);
            process.Kill();
            process.WaitForExit();
            Assert.False(identity.IsAlive);
        }
        finally
        {
            Directory.Delete(directory, recursive: true);
        }
    }
}
