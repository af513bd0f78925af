using System.Collections.Concurrent;

namespace Tarn;

/// <summary>Blocks freed to the wrong slab, or twice, until they can be reported: not under a lock.</summary>
internal sealed class RefusedBlocks
{
    private readonly ConcurrentQueue<(nint Block, BlockClass Claimed)> _waiting = new();

    internal void Add(nint block, BlockClass claimed) => _waiting.Enqueue((block, claimed));

    /// <summary>Reports what was added. They are left alone: nothing is lost but them.</summary>
    internal void Report(string source)
    {
        while (!_waiting.IsEmpty && _waiting.TryDequeue(out (nint Block, BlockClass Claimed) refused))
        {
            BufferIncidentKind kind =
                refused.Claimed.Owns(refused.Block) ? BufferIncidentKind.DoubleReturn : BufferIncidentKind.ForeignReturn;
            BufferDiagnostics.Report(new BufferIncident(kind, source, (long)refused.Claimed.BlockSize, null, null));
        }
    }
}
