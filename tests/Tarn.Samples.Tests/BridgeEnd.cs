namespace Tarn.Samples.Tests;

/// <summary>One end of the bridge, as a process that can be killed and started again.</summary>
internal sealed class BridgeEnd : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("tarn-bridge-").FullName;
    private readonly string[] _arguments;
    private SampleProcess _process;

    internal BridgeEnd(string command, string ring, Uri broker)
    {
        string[] origin = command == "receive" ? ["--origin", Path.Combine(_folder, "origin")] : [];
        _arguments = [command, ring, "--queue", "bridge", "--broker", broker.ToString(), .. origin];
        _process = SampleProcess.Start("Bridge", _arguments);
    }

    /// <summary>What all its processes wrote.</summary>
    internal string Output { get => field + _process.Output; private set; } = "";

    internal void KillAndStart()
    {
        _process.Dispose();
        Output = _process.Output + "\nkilled\n";
        _process = SampleProcess.Start("Bridge", _arguments);
    }

    public void Dispose()
    {
        _process.Dispose();
        Directory.Delete(_folder, recursive: true);
    }
}
