using System.Diagnostics;
using System.Globalization;
using System.Net.Sockets;

namespace Tarn.Samples.Tests;

/// <summary>A RabbitMQ server of one test, with ports, data and a name of its own. It can be killed and started again.</summary>
internal sealed class BrokerProcess : IDisposable
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(2);

    // Debian's and Homebrew's; Debian's /usr/sbin/rabbitmq-server switches to the service's user first.
    private static readonly string? s_program = Array.Find(
        ["/usr/lib/rabbitmq/bin/rabbitmq-server", "/opt/homebrew/sbin/rabbitmq-server", "/usr/local/sbin/rabbitmq-server"], File.Exists);

    private readonly string _folder = Directory.CreateTempSubdirectory("tarn-broker-").FullName;
    private readonly int _port = FreePort.Next();
    private readonly int _nodePort = FreePort.Next();
    private readonly string _namesPort = FreePort.Next().ToString(CultureInfo.InvariantCulture);

    /// <summary>Where Erlang programs find each other by name. The broker would start one that outlives it.</summary>
    private readonly Process _names;
    private Process _server;

    internal BrokerProcess()
    {
        File.WriteAllText(Path.Combine(_folder, "plugins"), "[].");
        File.WriteAllText(Path.Combine(_folder, "broker.conf"), "");
        _names = StartQuietly("epmd", "-port", _namesPort, "-address", "127.0.0.1");
        _server = StartServer();
    }

    internal static bool IsInstalled => s_program is not null;

    internal Uri Address => new($"amqp://guest:guest@127.0.0.1:{_port}");

    /// <summary>Kills it as a power cut does, as far as it can tell, and starts it again.</summary>
    internal void KillAndStart()
    {
        Kill(_server);
        _server = StartServer();
    }

    /// <summary>Returns when it takes connections.</summary>
    internal void AwaitStart()
    {
        for (Stopwatch waited = Stopwatch.StartNew(); ; Thread.Sleep(50))
        {
            using TcpClient client = new();
            try
            {
                client.Connect("127.0.0.1", _port);
                return;
            }
            catch (SocketException)
            {
                string log = Path.Combine(_folder, "log");
                Assert.True(
                    waited.Elapsed < s_limit && !_server.HasExited,
                    $"The broker did not start. {(File.Exists(log) ? File.ReadAllText(log) : "It has no log.")}");
            }
        }
    }

    public void Dispose()
    {
        Kill(_server);
        Kill(_names);
        Directory.Delete(_folder, recursive: true);
    }

    private static void Kill(Process process)
    {
        process.Kill(entireProcessTree: true);
        process.WaitForExit();
        process.Dispose();
    }

    private Process StartServer() => StartQuietly(s_program!);

    private Process StartQuietly(string program, params string[] arguments)
    {
        ProcessStartInfo start = new(program, arguments) { RedirectStandardOutput = true, RedirectStandardError = true };
        foreach ((string name, string value) in Settings())
        {
            start.Environment[name] = value;
        }

        Process process = Process.Start(start)!;
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        return process;
    }

    private IEnumerable<(string Name, string Value)> Settings() =>
    [
        ("HOME", _folder),
        ("ERL_EPMD_PORT", _namesPort),
        ("ERL_EPMD_ADDRESS", "127.0.0.1"),
        ("RABBITMQ_NODENAME", $"tarn-{_port}@localhost"),
        ("RABBITMQ_NODE_IP_ADDRESS", "127.0.0.1"),
        ("RABBITMQ_NODE_PORT", _port.ToString(CultureInfo.InvariantCulture)),
        ("RABBITMQ_DIST_PORT", _nodePort.ToString(CultureInfo.InvariantCulture)),
        ("RABBITMQ_MNESIA_BASE", Path.Combine(_folder, "data")),
        ("RABBITMQ_LOG_BASE", _folder),
        ("RABBITMQ_LOGS", Path.Combine(_folder, "log")),
        ("RABBITMQ_PID_FILE", Path.Combine(_folder, "pid")),
        ("RABBITMQ_CONF_ENV_FILE", Path.Combine(_folder, "none")),
        ("RABBITMQ_CONFIG_FILE", Path.Combine(_folder, "broker.conf")),
        ("RABBITMQ_ADVANCED_CONFIG_FILE", Path.Combine(_folder, "none.config")),
        ("RABBITMQ_ENABLED_PLUGINS_FILE", Path.Combine(_folder, "plugins")),

        // A new broker compiles code for each feature that it has; this one is enough.
        ("RABBITMQ_FEATURE_FLAGS", "quorum_queue"),

        // One thread that does not spin: the test shares its processors with others.
        ("RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", "+S 1:1 +sbwt none +sbwtdcpu none +sbwtdio none"),
    ];
}
