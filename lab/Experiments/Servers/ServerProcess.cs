using System.Diagnostics;
using System.Globalization;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Experiments.Servers;

/// <summary>The program of <c>lab/Server</c> in a process of its own.</summary>
internal sealed class ServerProcess : IDisposable
{
    private const string Ready = "ready ";
    private static readonly TimeSpan s_timeToEnd = TimeSpan.FromSeconds(5);

    private readonly Process _process;
    private readonly int[] _ports;

    /// <param name="arguments">The program's arguments: which memory pool Kestrel gets, and its settings.</param>
    /// <exception cref="InvalidOperationException">The server did not start; the message contains its output.</exception>
    public ServerProcess(params string[] arguments)
    {
        _process = Process.Start(new ProcessStartInfo("dotnet", [BuiltProgram.Find("Server", "tarn-server.dll"), .. arguments])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        string line = _process.StandardOutput.ReadLine() ?? "";
        if (!line.StartsWith(Ready, StringComparison.Ordinal))
        {
            throw new InvalidOperationException($"The server did not start: {_process.StandardError.ReadToEnd().Trim()}");
        }

        _ports = [.. line[Ready.Length..].Split(' ').Select(port => int.Parse(port, CultureInfo.InvariantCulture))];
    }

    public int ProcessId => _process.Id;

    /// <summary>The address at which it speaks a protocol.</summary>
    public Uri AddressOf(ServerProtocol protocol) =>
        new($"{(protocol == ServerProtocol.Tls ? "https" : "http")}://127.0.0.1:{_ports[(int)protocol]}");

    /// <exception cref="InvalidOperationException">The server ended.</exception>
    public ServerCounters ReadCounters()
    {
        _process.StandardInput.WriteLine();
        _process.StandardInput.Flush();
        return ServerCounters.Parse(_process.StandardOutput.ReadLine()
            ?? throw new InvalidOperationException($"The server ended: {_process.StandardError.ReadToEnd().Trim()}"));
    }

    public void Dispose()
    {
        _process.StandardInput.Close();
        if (!_process.WaitForExit(s_timeToEnd))
        {
            _process.Kill();
        }

        _process.Dispose();
    }
}
