using System.Diagnostics;

namespace Tarn;

/// <summary>One rent, as <see cref="RentLedger"/> records it.</summary>
internal sealed class RentRecord
{
    private readonly bool _reportsLeak;

    /// <summary>Null while rented; then the stack of the first return, or this record where it was not captured: set in one step.</summary>
    private object? _returnedAt;

    private bool _wasFinalized;

    /// <summary>The holders of a buffer that many share.</summary>
    private HolderLog? _holders;

    internal RentRecord(string source, long bytes, StackTrace rentedAt, bool reportsLeak)
    {
        Source = source;
        Bytes = bytes;
        RentedAt = rentedAt;
        _reportsLeak = reportsLeak;
        if (!reportsLeak)
        {
            NeedNoFinalizer();
        }
    }

    /// <summary>Runs when the array is gone. An array that was never returned is a leak.</summary>
    ~RentRecord()
    {
        if (!_reportsLeak || IsReturned || Environment.HasShutdownStarted)
        {
            return;
        }

        if (Finalization.TryPutOff(this, ref _wasFinalized))
        {
            return;
        }

        try
        {
            BufferDiagnostics.RunLater(static record => BufferDiagnostics.Report(record.DescribeLeak()), this);
        }
        catch (OutOfMemoryException)
        {
            // An exception here ends the process; the report is lost.
        }
    }

    internal string Source { get; }

    /// <summary>The ledger of the pool that handed the buffer out.</summary>
    internal RentLedger? Ledger { get; init; }

    internal long Bytes { get; }

    internal StackTrace RentedAt { get; }

    /// <summary>The stack of the first return. Null while the array is rented, or if the stack was not captured.</summary>
    internal StackTrace? ReturnedAt => Volatile.Read(ref _returnedAt) as StackTrace;

    internal bool IsReturned => Volatile.Read(ref _returnedAt) is not null;

    /// <summary>Names the buffer's holders in a report of a leak; null if this record reports none.</summary>
    internal HolderLog? LogHolders() => _reportsLeak ? _holders = new HolderLog() : null;

    /// <summary>Records the return. Returns false if one was already recorded.</summary>
    internal bool TryReturn(StackTrace? returnedAt)
    {
        if (Interlocked.CompareExchange(ref _returnedAt, (object?)returnedAt ?? this, null) is not null)
        {
            return false;
        }

        NeedNoFinalizer();
        return true;
    }

    private BufferIncident DescribeLeak() =>
        BufferIncident.Of(BufferIncidentKind.Leak, Source, Bytes, RentedAt, returnedAt: null, heldAt: _holders?.Describe());

    private void NeedNoFinalizer()
    {
#pragma warning disable CA1816 // nothing is disposed: the finalizer only reports leaks
        GC.SuppressFinalize(this);
#pragma warning restore CA1816
    }
}
