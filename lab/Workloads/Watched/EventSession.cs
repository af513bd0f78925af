using System.Diagnostics.Tracing;
using Microsoft.Diagnostics.NETCore.Client;
using Tarn.Traces;

namespace Tarn.Lab.Workloads.Watched;

/// <summary>
/// A session that receives this process's events of array pools, as the tool's sessions do. The events are read and thrown away: a tool
/// reads them in a process of its own.
/// </summary>
internal sealed class EventSession : IDisposable
{
    private const int BufferMegabytes = 256;

    private readonly EventPipeSession _session;
    private readonly Thread _reader;

    private EventSession(EventPipeSession session)
    {
        _session = session;
        _reader = new Thread(() => Read(session)) { IsBackground = true };
        _reader.Start();
    }

    /// <summary>Begins a session.</summary>
    /// <param name="level">The level of the events: Informational for allocations and drops, Verbose for rents and returns too.</param>
    /// <param name="stacks">Whether each event has its stack.</param>
    public static EventSession Start(EventLevel level, bool stacks)
    {
        EventPipeProvider[] providers = [.. PoolEventReader.Providers(level)];
        return new EventSession(new DiagnosticsClient(Environment.ProcessId).StartEventPipeSession(
            new EventPipeSessionConfiguration(providers, BufferMegabytes, requestRundown: false, requestStackwalk: stacks)));
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _session.Stop();
        _reader.Join();
        _session.Dispose();
    }

    private static void Read(EventPipeSession session)
    {
        var buffer = new byte[1 << 20];
        while (session.EventStream.Read(buffer) > 0)
        {
        }
    }
}
