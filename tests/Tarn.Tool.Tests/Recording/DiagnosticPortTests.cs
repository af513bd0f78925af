using System.Diagnostics;
using System.Net.Sockets;
using Tarn.Lab.Tests;
using Tarn.Traces;

namespace Tarn.Tool.Tests.Recording;

/// <summary>
/// The port that started programs connect to. Windows has a pipe. .NET's pipes are sockets on Unix, so a runtime connects to that kind of
/// port here too.
/// </summary>
public class DiagnosticPortTests
{
    private static readonly TimeSpan s_longest = TimeSpan.FromSeconds(30);

    [SkippableTheory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_started_process_connects_waits_and_is_resumed(bool isPipe)
    {
        Skip.If(OperatingSystem.IsWindows(), "the other kind of port is for Unix");
        using var folder = new TemporaryDirectory();
        using var port = new DiagnosticPort(Listener(isPipe, folder));
        using var longest = new CancellationTokenSource(s_longest);
        ProcessStartInfo start = Child.Start("60", "100");
        start.Environment[DiagnosticPort.Variable] = port.Address;
        using Process child = Process.Start(start)!;

        WaitingProcess first = await port.AcceptAsync(longest.Token);
        Task<string?> line = child.StandardOutput.ReadLineAsync(longest.Token).AsTask();
        bool waited = !line.IsCompleted;
        first.Resume();
        WaitingProcess again = await port.AcceptAsync(longest.Token);

        Assert.Equal("ready", await line);
        Assert.Equal((child.Id, child.Id, true), (first.Id, again.Id, waited));

        // A process that has ended gives no answer.
        Assert.Contains("planted faults", ProcessFacts.Ask(child.Id).Command, StringComparison.Ordinal);
        child.Kill();
    }

    [SkippableTheory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Whoever_does_not_speak_as_a_runtime_is_passed_over(bool isPipe)
    {
        Skip.If(OperatingSystem.IsWindows(), "the other kind of port is for Unix");
        using var folder = new TemporaryDirectory();
        using var port = new DiagnosticPort(Listener(isPipe, folder));
        using var longest = new CancellationTokenSource(s_longest);
        Task<WaitingProcess> accepting = port.AcceptAsync(longest.Token);
        Send(port.Address, "too short"u8);
        Send(port.Address, "this is long enough, but it is no greeting of a runtime"u8);
        var greeting = new byte[34];
        "ADVR_V1\0"u8.CopyTo(greeting);
        greeting[24] = 77;
        Send(port.Address, greeting);

        Assert.Equal(77, (await accepting).Id);
    }

    private static IPortListener Listener(bool isPipe, TemporaryDirectory folder) =>
        isPipe ? new PipeListener(folder.File("pipe")) : new SocketListener();

    private static void Send(string address, ReadOnlySpan<byte> bytes)
    {
        using var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        socket.Connect(new UnixDomainSocketEndPoint(address));
        socket.Send(bytes);
    }
}
