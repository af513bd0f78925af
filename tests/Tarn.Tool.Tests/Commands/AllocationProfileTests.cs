using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Tarn.Lab.Tests;
using Tarn.Tests.Diagnostics.Sampling;
using Tarn.Tests.Support;
using Tarn.Tool.Tests.Recording;

namespace Tarn.Tool.Tests.Commands;

/// <summary><c>tarn profile</c> of what a process allocates from the garbage collector: into a file, and to a server.</summary>
public class AllocationProfileTests
{
    private const string Large = "MakeLarge";

    [SkippableFact]
    public async Task The_file_has_the_bytes_of_each_place()
    {
        Skip.IfNot(StressLength.IsLong, "each records a program; the long form has each");
        Skip.If(OperatingSystem.IsWindows(), "programs are started on Unix only");
        using var folder = new TemporaryDirectory();
        (ToolProcess run, long large) = await ProfileAsync(folder, "-o", "alloc.pb.gz");

        Assert.True(run.ExitCode == 0, run.Error);
        PprofReader profile = Read(await File.ReadAllBytesAsync(folder.File("alloc.pb.gz")));
        Assert.Equal(("alloc_space", 102_400), (profile.DefaultType, profile.Period));
        Assert.InRange(Sum(profile, "alloc_space"), large * 0.95, large * 1.05);
        Assert.InRange(Sum(profile, "alloc_objects"), large * 0.95 / (1 << 20), large * 1.05 / (1 << 20));
    }

    [SkippableFact]
    public async Task A_server_receives_the_profile_with_its_name_its_time_and_its_types()
    {
        Skip.If(OperatingSystem.IsWindows(), "programs are started on Unix only");
        using var folder = new TemporaryDirectory();
        using var server = new Receiver();

        (ToolProcess run, long large) = await ProfileAsync(folder, "--push", $"http://me:secret@127.0.0.1:{server.Port}/profiles");

        Assert.True(run.ExitCode == 0, run.Error);
        (string target, string authorization, byte[] body) = await server.Received;
        Assert.StartsWith("/profiles/ingest?name=Tarn.TestChild&from=", target, StringComparison.Ordinal);
        Assert.Contains("&format=pprof", target, StringComparison.Ordinal);
        Assert.Equal($"Basic {Convert.ToBase64String("me:secret"u8)}", authorization);
        string text = Encoding.Latin1.GetString(body);
        Assert.Contains("\"alloc_space\":{\"units\":\"bytes\"", text, StringComparison.Ordinal);
        int start = text.IndexOf("\u001f\u008b", StringComparison.Ordinal);
        Assert.InRange(Sum(Read(body[start..]), "alloc_space"), large * 0.95, large * 1.05);
        Assert.Empty(Directory.GetFiles(folder.Path));
    }

    [SkippableFact]
    public async Task A_server_that_refuses_or_is_not_there_is_an_error()
    {
        Skip.IfNot(StressLength.IsLong, "each records a program; the long form has each");
        Skip.If(OperatingSystem.IsWindows(), "programs are started on Unix only");
        using var folder = new TemporaryDirectory();
        using var server = new Receiver("422 Unprocessable");

        (ToolProcess refused, _) = await ProfileAsync(folder, "--push", $"http://127.0.0.1:{server.Port}");
        ToolProcess none = await ToolProcess.RunAsync(folder.Path, "profile", "1", "--push", "somewhere");

        Assert.Equal((2, 2), (refused.ExitCode, none.ExitCode));
        Assert.Contains("refused the profile: 422", refused.Error, StringComparison.Ordinal);
        Assert.Contains("'somewhere' is no address of a server", none.Error, StringComparison.Ordinal);
    }

    [SkippableFact]
    public async Task The_file_has_what_is_in_use_and_the_output_what_is_not_known_of_it()
    {
        Skip.IfNot(StressLength.IsLong, "it runs programs for a while; the long form does it");
        using var folder = new TemporaryDirectory();
        using Process child = Process.Start(Child.StartScenario("kept objects"))!;
        Assert.Equal("ready", await child.StandardOutput.ReadLineAsync());
        string id = child.Id.ToString(CultureInfo.InvariantCulture);
        Task<ToolProcess> run = ToolProcess.RunAsync(folder.Path, "profile", id, "--in-use", "--for", "1h", "-o", "kept.pb.gz");
        while (await child.StandardOutput.ReadLineAsync() is { } line && line != "done")
        {
        }

        child.StandardInput.Close();
        Assert.True((await run).ExitCode == 0, (await run).Error);

        PprofReader profile = Read(await File.ReadAllBytesAsync(folder.File("kept.pb.gz")));
        Assert.Equal("inuse_space", profile.DefaultType);
        Assert.InRange(Sum(profile, "inuse_space", "KeepLarge"), 95L << 20, 97L << 20);
        Assert.Equal(0, Sum(profile, "inuse_space", "DropLarge"));
        Assert.InRange(Sum(profile, "alloc_space", "DropLarge"), 95L << 20, 97L << 20);
        Assert.Contains("came after the last collection that looks at them, and do not count", (await run).Error, StringComparison.Ordinal);
        Assert.Contains("--collect has the process collect them first", (await run).Error, StringComparison.Ordinal);
    }

    [SkippableFact]
    public async Task What_was_asked_for_and_is_not_there_is_an_error()
    {
        Skip.IfNot(StressLength.IsLong, "each records a program; the long form has each");
        Skip.If(OperatingSystem.IsWindows(), "programs are started on Unix only");
        using var folder = new TemporaryDirectory();

        (ToolProcess ended, _) = await ProfileAsync(folder, "--in-use", "--collect");
        ToolProcess alone = await ToolProcess.RunAsync(folder.Path, "profile", "1", "--collect");

        Assert.Equal((2, 2), (ended.ExitCode, alone.ExitCode));
        Assert.Contains("did not collect its garbage at the end", ended.Error, StringComparison.Ordinal);
        Assert.True(File.Exists(folder.File("alloc.pb.gz")));
        Assert.Contains("--collect is for --in-use", alone.Error, StringComparison.Ordinal);
    }

    /// <summary>Profiles the child from before its first allocation, and returns the bytes of its large arrays.</summary>
    private static async Task<(ToolProcess Run, long Large)> ProfileAsync(TemporaryDirectory folder, params string[] arguments)
    {
        using Process child = Process.Start(Child.StartScenario("known allocations", "wait"))!;
        Assert.Equal("ready", await child.StandardOutput.ReadLineAsync());
        string id = child.Id.ToString(CultureInfo.InvariantCulture);
        Task<ToolProcess> run = ToolProcess.RunAsync(folder.Path, ["profile", id, "--allocations", "--for", "60s", .. arguments]);

        string known = await child.StandardOutput.ReadToEndAsync();
        string line = known.Split('\n').Single(one => one.StartsWith(Large, StringComparison.Ordinal));
        return (await run, long.Parse(line.Split(' ')[1], NumberStyles.None, CultureInfo.InvariantCulture));
    }

    private static long Sum(PprofReader profile, string type, string method = Large) => profile.Samples
        .Where(sample => sample.Labels["type"] == "byte[]")
        .Where(sample => sample.Stack.Any(frame => frame.Method.Contains(method, StringComparison.Ordinal)))
        .Sum(sample => sample.Values[profile.Types.Index().Single(one => one.Item.StartsWith(type, StringComparison.Ordinal)).Index]);

    private static PprofReader Read(byte[] profile)
    {
        using var stream = new MemoryStream(profile);
        return PprofReader.Read(stream);
    }

    /// <summary>A server that takes one request.</summary>
    private sealed class Receiver : IDisposable
    {
        private readonly TcpListener _listener = new(IPAddress.Loopback, 0);

        public Receiver(string status = "200 OK")
        {
            _listener.Start();
            Received = ReceiveAsync(status);
        }

        public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

        public Task<(string Target, string Authorization, byte[] Body)> Received { get; }

        public void Dispose() => _listener.Dispose();

        private async Task<(string, string, byte[])> ReceiveAsync(string status)
        {
            using TcpClient client = await _listener.AcceptTcpClientAsync();
            NetworkStream stream = client.GetStream();
            List<string> head = [];
            for (string line; (line = await ReadLineAsync(stream)).Length > 0;)
            {
                head.Add(line);
            }

            string Header(string name) => head.FirstOrDefault(line => line.StartsWith($"{name}:", StringComparison.OrdinalIgnoreCase))
                ?[(name.Length + 1)..].Trim() ?? "";
            byte[] body = new byte[int.Parse(Header("Content-Length"), NumberStyles.None, CultureInfo.InvariantCulture)];
            await stream.ReadExactlyAsync(body);
            await stream.WriteAsync(Encoding.ASCII.GetBytes($"HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"));
            return (head[0].Split(' ')[1], Header("Authorization"), body);
        }

        private static async Task<string> ReadLineAsync(NetworkStream stream)
        {
            byte[] one = new byte[1];
            var line = new StringBuilder();
            while (await stream.ReadAsync(one) == 1 && one[0] != '\n')
            {
                line.Append((char)one[0]);
            }

            return line.ToString().TrimEnd('\r');
        }
    }
}
