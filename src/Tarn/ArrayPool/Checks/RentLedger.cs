using System.Runtime.CompilerServices;

namespace Tarn;

/// <summary>Records the stacks of rents and returns for pools with checks, and finds second returns, foreign arrays and leaks.</summary>
/// <remarks>
/// <para>A weak table attaches a record to each array. The record lives as long as the array, keeps no pool alive, and is finalized with
/// it. A record finalized while its buffer is rented reports a leak. All members are safe to call from any thread.</para>
/// <para>All ledgers share one table, which is never collected. A table of the ledger's own would be finalized along with the pool, and
/// finalizers that still rent and return would find it in ruins.</para>
/// </remarks>
internal sealed class RentLedger
{
    private static readonly ConditionalWeakTable<Array, RentRecord> s_records = [];

    private readonly BufferChecks _checks;
    private readonly string _source;
    private readonly bool _notesEveryRent;
    private readonly LeakSampling _leaks;

    private RentLedger(BufferChecks checks, string source)
    {
        _checks = checks;
        _source = source;
        _notesEveryRent = (checks & ~BufferChecks.SampledLeaks) != 0;
        _leaks = new LeakSampling(checks);
    }

    /// <summary>
    /// Whether to refuse a second return: if the checks include it, and if returned buffers are quarantined. A buffer quarantined twice
    /// would be handed out twice, and its second user would be blamed for writing to it.
    /// </summary>
    private bool RefusesSecondReturn => (_checks & (BufferChecks.Returns | BufferChecks.UseAfterReturn)) != 0;

    /// <summary>Creates the ledger that <paramref name="checks"/> require, or returns null if they require none.</summary>
    internal static RentLedger? Create(BufferChecks checks, string source) =>
        checks == BufferChecks.None ? null : new RentLedger(checks, source);

    /// <summary>Records the rent of a buffer.</summary>
    internal void OnRented(Array array, long bytes)
    {
        bool reportsLeak = _leaks.PicksNext();
        if (_notesEveryRent || reportsLeak)
        {
            RentRecord record = new(_source, bytes, CallStack.Capture(), reportsLeak) { Ledger = this };
            Uninterrupted.Call(static add => s_records.AddOrUpdate(add.Array, add.Record), (Array: array, Record: record));
        }
    }

    /// <summary>Refuses a return that the checks forbid, before anything changes.</summary>
    /// <exception cref="InvalidOperationException">The array was already returned, or was not rented here.</exception>
    internal void BeforeReturn(Array array, long bytes)
    {
        if (!RefusesSecondReturn)
        {
            return;
        }

        if (Find(array) is { } record)
        {
            if (record.IsReturned)
            {
                ThrowReturnedTwice(array, record);
            }
        }
        else if ((_checks & BufferChecks.Returns) != 0)
        {
            BufferDiagnostics.Report(
                BufferIncident.Of(BufferIncidentKind.ForeignReturn, _source, bytes, rentedAt: null, CallStack.Capture()));
            throw new InvalidOperationException(
                $"An array of length {array.Length} was returned to the pool {_source}, which did not hand it out.");
        }
    }

    /// <summary>Records the return of a buffer, without its stack if there is no memory for it.</summary>
    internal void OnReturned(Array array)
    {
        if (Find(array) is { } record
            && !record.TryReturn(_notesEveryRent ? CallStack.TryCapture() : null)
            && RefusesSecondReturn)
        {
            // Another thread returned the array after the check in BeforeReturn.
            ThrowReturnedTwice(array, record);
        }
    }

    /// <summary>Returns the record of a buffer that this ledger's pool handed out; null if its rent was not recorded.</summary>
    internal RentRecord? Find(Array array) =>
        s_records.TryGetValue(array, out RentRecord? record) && record.Ledger == this ? record : null;

    /// <summary>
    /// Reports the second disposal of an owner. It does not throw, because a disposal may be repeated; without checks, this owner might
    /// belong to another renter by now.
    /// </summary>
    /// <param name="record">The record of the rent, if there is one.</param>
    internal void OnDisposedTwice(RentRecord? record)
    {
        if (!RefusesSecondReturn || record is null)
        {
            return;
        }

        try
        {
            BufferDiagnostics.Report(BufferIncident.Of(
                BufferIncidentKind.DoubleReturn, _source, record.Bytes, record.RentedAt, record.ReturnedAt,
                $"its owner was disposed a second time by {CallStack.DescribePlace(CallStack.Capture())}."));
        }
        catch (OutOfMemoryException)
        {
            // A disposal must not fail because of a report.
        }
    }

    /// <summary>Describes a write to a buffer after its return.</summary>
    /// <param name="array">The buffer.</param>
    /// <param name="bytes">The size of the buffer.</param>
    /// <param name="element">The first element that was written.</param>
    internal BufferIncident DescribeUseAfterReturn(Array array, long bytes, int element)
    {
        RentRecord? record = Find(array);
        return BufferIncident.Of(
            BufferIncidentKind.UseAfterReturn, _source, bytes, record?.RentedAt, record?.ReturnedAt,
            $"element {element} of {array.Length} was written after the return.");
    }

    private void ThrowReturnedTwice(Array array, RentRecord record)
    {
        BufferIncident incident =
            BufferIncident.Of(BufferIncidentKind.DoubleReturn, _source, record.Bytes, record.RentedAt, record.ReturnedAt);
        BufferDiagnostics.Report(incident);
        throw new InvalidOperationException(
            $"An array of length {array.Length} was returned to the pool {_source} a second time.{Environment.NewLine}"
            + $"It was rented{Environment.NewLine}{incident.RentedAt}and first returned{Environment.NewLine}{incident.ReturnedAt}");
    }
}
