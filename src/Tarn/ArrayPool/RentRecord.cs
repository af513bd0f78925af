using System.Diagnostics;

namespace Tarn;

/// <summary>One rent, as <see cref="RentLedger"/> notes it.</summary>
internal sealed class RentRecord(string source, long bytes, StackTrace rentedAt, bool reportsLeak)
{
    private int _returned;

    /// <summary>The array is gone: if it never came back, that was a leak.</summary>
    ~RentRecord()
    {
        if (reportsLeak && !IsReturned && !Environment.HasShutdownStarted)
        {
            ThreadPool.UnsafeQueueUserWorkItem(
                static record => BufferDiagnostics.Report(new BufferIncident(
                    BufferIncidentKind.Leak, record.Source, record.Bytes, record.RentedAt.ToString(), null)),
                this,
                preferLocal: false);
        }
    }

    internal string Source { get; } = source;

    internal long Bytes { get; } = bytes;

    internal StackTrace RentedAt { get; } = rentedAt;

    /// <summary>Where it was returned first; null while it is rented.</summary>
    internal StackTrace? ReturnedAt { get; private set; }

    internal bool IsReturned => Volatile.Read(ref _returned) != 0;

    /// <summary>Notes the return; false when it was noted before.</summary>
    internal bool TryReturn(StackTrace? returnedAt)
    {
        if (Interlocked.Exchange(ref _returned, 1) != 0)
        {
            return false;
        }

        ReturnedAt = returnedAt;
#pragma warning disable CA1816 // nothing is disposed: the finalizer only tells of leaks, and this buffer came back
        GC.SuppressFinalize(this);
#pragma warning restore CA1816
        return true;
    }
}
