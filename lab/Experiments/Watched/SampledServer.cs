using Tarn.Lab.Experiments.Servers;

namespace Tarn.Lab.Experiments.Watched;

/// <summary>A web server that answers small requests.</summary>
internal sealed class SampledServer : ISampledProgram
{
    private static readonly ServerLoad s_load = new(ServerProtocol.Http1, ServerWork.Get);

    private readonly LoadGenerator _generator = new();
    private readonly ServerProcess _server = new("default");

    public string Id => "server";

    public string Title => "A web server under load";

    public int ProcessId => _server.ProcessId;

    /// <summary>The load generator takes whole seconds.</summary>
    public TimeSpan Turn => TimeSpan.FromSeconds(1);

    public double Work(TimeSpan time)
    {
        long before = _server.ReadCounters().Requests;
        _ = _generator.Run(_server, s_load, time);
        return _server.ReadCounters().Requests - before;
    }

    public SampledUse Used()
    {
        ServerCounters counters = _server.ReadCounters();
        return new SampledUse(counters.ProcessorNanoseconds, double.NaN, counters.AllocatedBytes);
    }

    public void Dispose()
    {
        _server.Dispose();
        _generator.Dispose();
    }
}
