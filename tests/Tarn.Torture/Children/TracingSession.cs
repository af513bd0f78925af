using System.Diagnostics.Tracing;
using Microsoft.Diagnostics.NETCore.Client;

namespace Tarn.Torture.Children;

/// <summary>A session that receives every event of the library from a process over its diagnostics port.</summary>
internal static class TracingSession
{
    /// <summary>Attaches to a process, this one or another.</summary>
    internal static EventPipeSession Attach(int processId, EventLevel level) =>
        new DiagnosticsClient(processId).StartEventPipeSession(
            [new EventPipeProvider(BufferDiagnostics.EventSourceName, level)], requestRundown: false, circularBufferMB: 16);

    /// <summary>The work of the child: it attaches, reports that, and reads until it is killed.</summary>
    internal static int ReadUntilKilled(int processId)
    {
        using EventPipeSession session = Attach(processId, EventLevel.Verbose);
        Console.WriteLine("ready");
        byte[] bytes = new byte[64 << 10];
        while (session.EventStream.Read(bytes) > 0)
        {
        }

        return 0;
    }
}
