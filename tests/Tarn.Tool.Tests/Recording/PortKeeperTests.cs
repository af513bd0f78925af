using System.Diagnostics;
using Tarn.Lab.Tests;
using Tarn.Tool.Tests.Commands;
using Tarn.Traces;

namespace Tarn.Tool.Tests.Recording;

/// <summary>What keeps the port of a recording removes what a recording made, and nothing else.</summary>
public class PortKeeperTests
{
    [SkippableTheory]
    [InlineData("mine", "port")]
    [InlineData("mine", "x")]
    [InlineData("tarn-0123456789abcdef", "x")]
    [InlineData("tarn-0123456789abcdeX", "port")]
    [InlineData("tarn-0123456789abcdef0", "port")]
    public async Task An_address_that_no_recording_made_is_refused_and_its_folder_stays(string name, string file)
    {
        Skip.If(OperatingSystem.IsWindows(), "ports are folders on Unix only");
        using var folder = new TemporaryDirectory();
        Directory.CreateDirectory(folder.File(name));
        File.WriteAllText(Path.Combine(folder.File(name), file), "");

        foreach (string address in (string[])[Path.Combine(folder.File(name), file), $"{name}/{file}", file])
        {
            ToolProcess run = await ToolProcess.RunAsync(folder.File(name), "keep-port", address);

            Assert.Equal(2, run.ExitCode);
            Assert.Equal($"tarn: {address} is no port of a recording.\n", run.Error);
            Assert.True(File.Exists(Path.Combine(folder.File(name), file)));
        }
    }

    [SkippableFact]
    public async Task The_folder_of_a_recording_goes_unless_it_holds_something_else()
    {
        Skip.If(OperatingSystem.IsWindows(), "ports are folders on Unix only");
        using var folder = new TemporaryDirectory();
        string own = folder.File("tarn-0123456789abcdef");
        string used = folder.File("tarn-fedcba9876543210");
        Directory.CreateDirectory(own);
        Directory.CreateDirectory(used);
        foreach (string one in (string[])[own, used])
        {
            File.WriteAllText(Path.Combine(one, "port"), "");
        }

        File.WriteAllText(Path.Combine(used, "notes"), "");

        ToolProcess first = await ToolProcess.RunLineAsync(folder.Path, $"tarn keep-port {Path.Combine(own, "port")} </dev/null");
        ToolProcess second = await ToolProcess.RunLineAsync(folder.Path, $"tarn keep-port {Path.Combine(used, "port")} </dev/null");

        Assert.True((first.ExitCode, second.ExitCode) == (0, 0), first.Error + second.Error);
        Assert.False(Directory.Exists(own));
        Assert.Equal([Path.Combine(used, "notes")], Directory.GetFileSystemEntries(used));
    }

    [SkippableFact]
    public async Task A_socket_of_an_earlier_process_with_the_number_is_no_process()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "the start of a process is in /proc");
        using var folder = new TemporaryDirectory();
        using Process other = Process.Start(new ProcessStartInfo("/bin/sh", ["-c", "read line"]) { RedirectStandardInput = true })!;
        File.WriteAllText(folder.File($"dotnet-diagnostic-{other.Id}-1-socket"), "");

        ToolProcess ps = await ToolProcess.RunAsync(folder.Path, [("TMPDIR", folder.Path)], "ps");
        ToolProcess watch = await ToolProcess.RunAsync(folder.Path, [("TMPDIR", folder.Path)], "watch", $"{other.Id}");
        other.StandardInput.Close();

        Assert.DoesNotContain($"{other.Id}\t", ps.Output, StringComparison.Ordinal);
        Assert.True(ProcessSockets.HasOwn(Environment.ProcessId), "a socket of its own is one");
        Assert.Contains($"Process {other.Id} has no diagnostics socket", watch.Error, StringComparison.Ordinal);
    }

    [SkippableTheory]
    [InlineData("a,b")]
    [InlineData("a=b;c")]
    [InlineData("a b\nc")]
    [InlineData("a:b'c")]
    public async Task A_process_is_reached_whatever_the_folder_of_its_socket_is_called(string name)
    {
        Skip.If(OperatingSystem.IsWindows(), "diagnostics are pipes on Windows");
        using var folder = new TemporaryDirectory();
        Directory.CreateDirectory(folder.File(name));
        (string, string)[] environment = [("TMPDIR", folder.File(name))];
        ProcessStartInfo start = Child.StartScenario("hostile names", "pool");
        start.Environment["TMPDIR"] = folder.File(name);
        using Process child = Process.Start(start)!;
        try
        {
            Assert.Equal("ready", await child.StandardOutput.ReadLineAsync());
            string id = $"{child.Id}";

            ToolProcess record = await ToolProcess.RunAsync(folder.Path, environment, "record", id, "--for", "1s", "-o", "run.tarn");
            ToolProcess dump = await ToolProcess.RunAsync(folder.Path, environment, "dump", id, "--json");
            ToolProcess started = await ToolProcess.RunAsync(
                folder.Path, environment, "record", "-o", "started.tarn", "--", "dotnet", Child.Assembly, "planted faults", "0.3", "100");

            Assert.True((record.ExitCode, dump.ExitCode, started.ExitCode) == (0, 0, 0), record.Error + dump.Error + started.Error);
            Assert.Contains("\"name\": \"pool\"", dump.Output, StringComparison.Ordinal);
            Assert.True(File.Exists(folder.File("run.tarn")) && File.Exists(folder.File("started.tarn")));
        }
        finally
        {
            child.Kill();
        }
    }
}
