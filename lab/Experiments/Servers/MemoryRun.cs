using System.Diagnostics;
using Tarn.Lab.Contenders;

namespace Tarn.Lab.Experiments.Servers;

/// <summary>
/// Fresh servers whose memory is read after a small load, after a load of many connections, and after a rest. Other measurements fill the
/// rests.
/// </summary>
internal sealed class MemoryRun : IDisposable
{
    private static readonly ServerLoad s_uploads = new(ServerProtocol.Http1, ServerWork.Upload);
    private static readonly ServerLoad s_gets = new(ServerProtocol.Http1, ServerWork.Get);

    /// <summary>Long enough for the runtime to compile what the load of many connections runs, because code takes memory too.</summary>
    private static readonly TimeSpan s_warmUp = TimeSpan.FromSeconds(4);

    private readonly LoadGenerator _generator;
    private readonly ServerProcess[] _servers =
        [.. ServerNames.All.Select(name => new ServerProcess(ServerNames.ArgumentOf(name)))];

    private readonly long[] _idle = new long[ServerNames.All.Count];
    private readonly long[] _loaded = new long[ServerNames.All.Count];
    private long _restsSince;

    /// <summary>Starts the servers and loads them a little.</summary>
    public MemoryRun(LoadGenerator generator)
    {
        _generator = generator;
        try
        {
            foreach (ServerProcess server in _servers)
            {
                generator.Run(server, s_gets, s_warmUp);
                generator.Run(server, s_uploads, s_warmUp);
            }
        }
        catch
        {
            Dispose();
            throw;
        }

        _restsSince = Stopwatch.GetTimestamp();
    }

    /// <summary>Reads the memory of the rested servers and loads one after the other with many connections.</summary>
    public void Load()
    {
        Rest();
        for (int contender = 0; contender < _servers.Length; contender++)
        {
            _idle[contender] = _servers[contender].ReadCounters().ResidentBytes;
        }

        for (int contender = 0; contender < _servers.Length; contender++)
        {
            _generator.Run(_servers[contender], s_uploads, KestrelMeasurements.ManyConnections, TimeSpan.FromSeconds(4));
            _loaded[contender] = _servers[contender].ReadCounters().ResidentBytes;
        }

        _restsSince = Stopwatch.GetTimestamp();
    }

    /// <summary>Reads the memory of the servers after another rest.</summary>
    public MemoryFound[] Read()
    {
        Rest();
        return
        [
            .. _servers.Select((server, contender) => new MemoryFound(
                ServerNames.All[contender], _idle[contender], _loaded[contender], server.ReadCounters().ResidentBytes)),
        ];
    }

    public void Dispose() => Array.ForEach(_servers, server => server.Dispose());

    private void Rest()
    {
        TimeSpan left = KestrelMeasurements.Rest - Stopwatch.GetElapsedTime(_restsSince);
        if (left > TimeSpan.Zero)
        {
            Thread.Sleep(left);
        }
    }
}
