using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>Notes who rented and who returned, for pools with checks: finds second returns, foreign arrays and leaks.</summary>
/// <remarks>
/// A record hangs on each array through a weak table, so it lives as long as the array, keeps nothing alive, and is finalized with it:
/// a record that is finalized while its buffer is rented tells of a leak. All members are safe to call from any thread.
/// </remarks>
internal sealed class RentLedger
{
    /// <summary>One in this many rents is noted when only leaks are sampled (Netty's rate).</summary>
    private const int SampleInterval = 128;

    private readonly ConditionalWeakTable<Array, RentRecord> _records = [];
    private readonly BufferChecks _checks;
    private readonly string _source;
    private readonly int _interval;
    private int _rents;

    private RentLedger(BufferChecks checks, string source)
    {
        _checks = checks;
        _source = source;
        _interval = (checks & ~BufferChecks.SampledLeaks) == 0 ? SampleInterval : 1;
    }

    /// <summary>The ledger that <paramref name="checks"/> ask for; null for none.</summary>
    internal static RentLedger? Create(BufferChecks checks, string source) =>
        checks == BufferChecks.None ? null : new RentLedger(checks, source);

    /// <summary>Notes the rent of a buffer.</summary>
    internal void OnRented(Array array, long bytes)
    {
        if (_interval > 1 && Interlocked.Increment(ref _rents) % _interval != 0)
        {
            return;
        }

        bool reportsLeak = (_checks & (BufferChecks.Leaks | BufferChecks.SampledLeaks)) != 0;
        _records.AddOrUpdate(array, new RentRecord(_source, bytes, Capture(), reportsLeak));
    }

    /// <summary>Refuses a return that <see cref="BufferChecks.Returns"/> forbids; nothing has been changed then.</summary>
    /// <exception cref="InvalidOperationException">The array was returned already, or was not rented here.</exception>
    internal void BeforeReturn(Array array, long bytes)
    {
        if ((_checks & BufferChecks.Returns) == 0)
        {
            return;
        }

        if (!_records.TryGetValue(array, out RentRecord? record))
        {
            BufferDiagnostics.Report(new BufferIncident(BufferIncidentKind.ForeignReturn, _source, bytes, null, Capture().ToString()));
            throw new InvalidOperationException(
                $"An array of length {array.Length} was returned to the pool {_source}, which did not hand it out.");
        }

        if (record.IsReturned)
        {
            ThrowReturnedTwice(array, record);
        }
    }

    /// <summary>Notes the return of a buffer.</summary>
    internal void OnReturned(Array array)
    {
        if (_records.TryGetValue(array, out RentRecord? record)
            && !record.TryReturn(_interval == 1 ? Capture() : null)
            && (_checks & BufferChecks.Returns) != 0)
        {
            // Another thread returned it since BeforeReturn looked.
            ThrowReturnedTwice(array, record);
        }
    }

    /// <summary>Reports that a buffer was written to after it was returned.</summary>
    internal void ReportUseAfterReturn(Array array, long bytes, bool now)
    {
        _records.TryGetValue(array, out RentRecord? record);
        BufferIncident incident = new(
            BufferIncidentKind.UseAfterReturn, _source, bytes, record?.RentedAt.ToString(), record?.ReturnedAt?.ToString());
        if (now)
        {
            BufferDiagnostics.Raise(incident);
        }
        else
        {
            BufferDiagnostics.Report(incident);
        }
    }

    private void ThrowReturnedTwice(Array array, RentRecord record)
    {
        string rentedAt = record.RentedAt.ToString();
        string? returnedAt = record.ReturnedAt?.ToString();
        BufferDiagnostics.Report(new BufferIncident(BufferIncidentKind.DoubleReturn, _source, record.Bytes, rentedAt, returnedAt));
        throw new InvalidOperationException(
            $"An array of length {array.Length} was returned to the pool {_source} a second time.\n"
            + $"It was rented{Environment.NewLine}{rentedAt}and first returned{Environment.NewLine}{returnedAt}");
    }

    /// <summary>The caller's stack, with lines where symbols are at hand, from the first frame that is not ours.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static StackTrace Capture() => new(skipFrames: 2, fNeedFileInfo: true);
}
