using System.Collections.Concurrent;

namespace Tarn.Native;

/// <summary>Holds blocks that were freed to the wrong slab, or twice, until no lock is held and they can be reported.</summary>
internal sealed class RefusedBlocks
{
    private readonly ConcurrentQueue<(nint Block, BlockClass Claimed)> _waiting = new();

    /// <summary>Notes a block, under locks and in the middle of a free. One that there is no memory to note is not reported.</summary>
    internal void Add(nint block, BlockClass claimed)
    {
        try
        {
            _waiting.Enqueue((block, claimed));
        }
        catch (OutOfMemoryException)
        {
        }
    }

    /// <summary>Reports the blocks that were added. The heap leaves them alone, so only these blocks are lost.</summary>
    internal void Report(string source)
    {
        if (!_waiting.IsEmpty)
        {
            ReportAll(source);
        }
    }

    private void ReportAll(string source)
    {
        BufferDiagnostics.BeginReports();
        try
        {
            while (_waiting.TryDequeue(out (nint Block, BlockClass Claimed) refused))
            {
                BufferIncidentKind kind =
                    refused.Claimed.Owns(refused.Block) ? BufferIncidentKind.DoubleReturn : BufferIncidentKind.ForeignReturn;
                BufferDiagnostics.Report(new BufferIncident(kind, source, (long)refused.Claimed.BlockSize));
            }
        }
        finally
        {
            BufferDiagnostics.EndReports();
        }
    }
}
